# The drain's tests once more, built with another LLVM: its profile layouts, its reader and writer, its
# links, and its code on the software GPU. Each suite is a test; all are skipped where that LLVM is not to
# be had.

# add_tests_of_other_llvm(<name> <fixture> <root> <bin folder> <suite>...)
#   fixture  the CTest fixture that unpacks the LLVM into <root>
function(add_tests_of_other_llvm name fixture root bin)
  set(build "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(run "${CMAKE_CURRENT_SOURCE_DIR}/other-llvm/run_tests")
  add_test(NAME drain.${name}.build COMMAND "${run}" build "${root}" "${build}" -G "${CMAKE_GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}"
    "-DDEVICE_COVERAGE_TEST_CLANG=${bin}/clang++" "-DDEVICE_COVERAGE_TEST_SIMULATOR=${gpu_simulator}"
    "-DDEVICE_COVERAGE_TEST_GPU_PROGRAMS=module.*|raw-hsa")
  set_tests_properties(drain.${name}.build PROPERTIES FIXTURES_REQUIRED ${fixture} FIXTURES_SETUP drain.${name}
    LABELS "drain;slow" SKIP_RETURN_CODE 77 TIMEOUT 900)
  foreach(suite IN LISTS ARGN)
    set(program drain-tests)
    if(suite MATCHES "Gpu")
      set(program drain-gpu-tests)
    endif()
    add_test(NAME drain.${name}.${suite}
      COMMAND "${run}" run "${root}" "${build}/drain/${program}" --gtest_brief=1
              "--gtest_filter=${suite}.*:*/${suite}*.*")
    set_tests_properties(drain.${name}.${suite} PROPERTIES FIXTURES_REQUIRED drain.${name}
      LABELS "drain;slow" SKIP_RETURN_CODE 77 TIMEOUT 300)
  endforeach()
endfunction()

set(suites RawProfile DeviceRuntime CodeObject DrainTest Library Lifecycle)
if(TARGET drain-gpu-tests AND gpu_simulator)
  list(APPEND suites GpuModule)
endif()
add_tests_of_other_llvm(llvm-23 debian-root.llvm-23 "${DEVICE_COVERAGE_DEBIAN_ROOTS}/llvm-23"
  "${DEVICE_COVERAGE_DEBIAN_ROOTS}/llvm-23/usr/lib/llvm-23/bin" ${suites})
