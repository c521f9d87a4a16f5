# The drain's tests once more: built with another LLVM, for its profile layouts, its reader and writer, its
# links and its code on the software GPU; and on newer ROCm runtimes. Each suite is a test; all are skipped
# where the packages are not to be had.

set(run_other "${CMAKE_CURRENT_SOURCE_DIR}/other-toolchain/run_tests")

# add_other_build(<name> <root> <target> <GPU programs> <option of cmake>...): the test that builds
# ${CMAKE_CURRENT_BINARY_DIR}/other/<name>, after the fixture debian-root.<root>; other tests require it as a fixture.
function(add_other_build name root target programs)
  add_test(NAME drain.${name}.build COMMAND "${run_other}" build "${DEVICE_COVERAGE_DEBIAN_ROOTS}/${root}"
    "${CMAKE_CURRENT_BINARY_DIR}/other/${name}" ${target} -G "${CMAKE_GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}"
    "-DDEVICE_COVERAGE_TEST_SIMULATOR=${gpu_simulator}" "-DDEVICE_COVERAGE_TEST_GPU_PROGRAMS=${programs}" ${ARGN})
  set_tests_properties(drain.${name}.build PROPERTIES FIXTURES_REQUIRED debian-root.${root}
    FIXTURES_SETUP drain.${name} LABELS "drain;slow" SKIP_RETURN_CODE 77 TIMEOUT 900)
endfunction()

# add_other_run(<name> <root> <program> <title> <GoogleTest filter>)
function(add_other_run name root program title filter)
  add_test(NAME drain.${name}.${title}
    COMMAND "${run_other}" run "${DEVICE_COVERAGE_DEBIAN_ROOTS}/${root}"
            "${CMAKE_CURRENT_BINARY_DIR}/other/${name}/drain/${program}" --gtest_brief=1 "--gtest_filter=${filter}")
  set_tests_properties(drain.${name}.${title} PROPERTIES FIXTURES_REQUIRED drain.${name} LABELS "drain;slow"
    ENVIRONMENT "AMD_COMGR_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/other/${name}/comgr" SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()

set(other_clang "${DEVICE_COVERAGE_DEBIAN_ROOTS}/llvm-23/usr/lib/llvm-23/bin/clang++")
add_other_build(llvm-23 llvm-23 drain-tests "" "-DDEVICE_COVERAGE_TEST_CLANG=${other_clang}")
foreach(suite IN ITEMS RawProfile DeviceRuntime CodeObject DrainTest Library Lifecycle)
  add_other_run(llvm-23 llvm-23 drain-tests ${suite} "${suite}.*:*/${suite}*.*")
endforeach()

if(NOT TARGET drain-gpu-tests OR NOT gpu_simulator)
  return()
endif()
add_other_build(llvm-23-code llvm-23 drain-gpu-tests "module.*|raw-hsa" "-DDEVICE_COVERAGE_TEST_CLANG=${other_clang}")
add_other_run(llvm-23-code llvm-23 drain-gpu-tests GpuModule "GpuModule.*")

# Newer runtimes have other tables for their tools, and tear down in another order.
set(DEVICE_COVERAGE_TEST_ROCM_VERSIONS 7.2 CACHE STRING
  "Newer ROCms whose libraries the tests run on: any of 5.7, 6.4 and 7.2")
foreach(version IN LISTS DEVICE_COVERAGE_TEST_ROCM_VERSIONS)
  set(rocm "${DEVICE_COVERAGE_DEBIAN_ROOTS}/rocm-${version}/usr")
  set(libraries "${rocm}/lib/x86_64-linux-gnu")
  add_other_build(rocm-${version} rocm-${version} drain-gpu-tests
    "program|rdc|rtc|device-only|not-linked|plugin\\.so|other-tool\\.so|module.*|raw-hsa|exit-order.*|libexit-observer\\.so"
    "-DDEVICE_COVERAGE_TEST_CLANG=${DEVICE_COVERAGE_TEST_CLANG}" "-DHIP_INCLUDE_DIR=${rocm}/include"
    "-DHSA_INCLUDE_DIR=${rocm}/include/hsa" "-DHIP_LIBRARY=${libraries}/libamdhip64.so"
    "-DHSA_LIBRARY=${libraries}/libhsa-runtime64.so" -DROCM_DEVICE_LIBS_DIR=@DEVICE@
    "-DDEVICE_COVERAGE_TEST_LINK_OPTIONS=-Wl,--dynamic-linker=@LOADER@ -Wl,--disable-new-dtags -Wl,--allow-shlib-undefined -Wl,-rpath,${libraries}")
  # All but those whose programs are not built here.
  add_other_run(rocm-${version} rocm-${version} drain-gpu-tests Gpu
    "*Gpu*-*coveredOrNot*:*bitmapsOf*:*twoLibraries*:*twoArchitectures*")
endforeach()
