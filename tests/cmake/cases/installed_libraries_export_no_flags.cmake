# Whoever uses an installed instrumented library gets no flag it did not ask for; inside the build the consumer of
# the static library must get the runtime (both_sides_are_instrumented).
configure(kernels -DENABLE_DEVICE_COVERAGE=ON)
file(GLOB_RECURSE exports "${BUILD_DIR}/CMakeFiles/Export/kernels*.cmake")
if(exports STREQUAL "")
  fail("CMake exported nothing")
endif()
foreach(export IN LISTS exports)
  file(READ "${export}" text)
  if(text MATCHES "fprofile|Xarch|Xoffload|DeviceCoverage|libdevice_coverage|unused-arguments")
    fail("${export} holds `${CMAKE_MATCH_0}`")
  endif()
endforeach()
