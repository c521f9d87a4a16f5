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

# Used by another compiler than clang, whose options it would not know.
function(use_libraries folder)
  file(REMOVE_RECURSE "${WORK_DIR}/consumer")
  check_run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../projects/consumer" -B "${WORK_DIR}/consumer"
    -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${HOST_COMPILER}" "-DKERNELS=${folder}")
  set(BUILD_DIR "${WORK_DIR}/consumer")
  build()
  check_run("${BUILD_DIR}/with_static")
  check_run("${BUILD_DIR}/with_shared")
endfunction()
build()
# Out of the build tree what has to be linked is linked.
use_libraries("${BUILD_DIR}")
expect_names("${WORK_DIR}/consumer/with_static" libdevice_coverage.so)

# Installed, an instrumented library finds its drain where it is installed as well, and not in a build folder.
check_run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/installed")
file(REMOVE_RECURSE "${BUILD_DIR}")
set(ENV{LD_LIBRARY_PATH} "${WORK_DIR}/installed/lib")
use_libraries("${WORK_DIR}/installed/lib/cmake/kernels")
expect_no_names("${WORK_DIR}/consumer/with_static" libdevice_coverage.so)
