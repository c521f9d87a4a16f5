# The tests on a GPU once more with a drain under sanitizers. HIP, ROCr and the test programs are not, so the
# sanitizer's runtime is loaded ahead of them all, and the drain is found ahead of the run path of the programs.

include("${CMAKE_CURRENT_LIST_DIR}/../sanitizers.cmake")

# add_sanitized_gpu_tests(<name> <sanitizers> <runtime> <option>...): <runtime> as in libclang_rt.<runtime>.so, <option>
# environment variables of that runtime
function(add_sanitized_gpu_tests name sanitizers runtime)
  find_sanitizer_runtime(preloaded "${DEVICE_COVERAGE_TEST_CLANG}" ${runtime})
  if(NOT preloaded)
    message(STATUS "DeviceCoverage: tests: clang has no shared runtime `${runtime}`; the drain is not tested under it "
      "on a GPU")
    return()
  endif()
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/sanitized/${name}")
  file(MAKE_DIRECTORY "${dir}")
  add_custom_command(OUTPUT "${dir}/libdevice_coverage.so"
    COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -std=c++17 -O1 -g -fPIC -fno-exceptions -fno-rtti -fvisibility=hidden
            "-fsanitize=${sanitizers}" -fno-sanitize-recover=all -shared-libsan -shared -nostdlib++
            -I "${CMAKE_CURRENT_SOURCE_DIR}/../../runtime/include" ${drain_sources} -o "${dir}/libdevice_coverage.so"
            -Wl,-soname,libdevice_coverage.so -Wl,-z,nodelete -Wl,--exclude-libs,ALL -Wl,--as-needed -ldl
    DEPENDS ${drain_files} VERBATIM)
  add_custom_target(drain-sanitized-library-${name} ALL DEPENDS "${dir}/libdevice_coverage.so")

  add_test(NAME drain.sanitized.${name}.onTheGpu COMMAND drain-gpu-tests --gtest_brief=1)
  set_tests_properties(drain.sanitized.${name}.onTheGpu PROPERTIES LABELS "drain;slow" TIMEOUT 900
    ENVIRONMENT "LD_PRELOAD=${preloaded};LD_LIBRARY_PATH=${dir};${ARGN}")
  # Else the test above would measure the drain that has no sanitizer.
  add_test(NAME drain.sanitized.${name}.isWhatProgramsLoad COMMAND ldd "${gpu_dir}/program")
  set_tests_properties(drain.sanitized.${name}.isWhatProgramsLoad PROPERTIES LABELS drain
    ENVIRONMENT "LD_LIBRARY_PATH=${dir}" PASS_REGULAR_EXPRESSION "=> ${dir}/libdevice_coverage.so ")
endfunction()

add_sanitized_gpu_tests(addressAndUndefined address,undefined asan ${address_sanitizer_options})
add_sanitized_gpu_tests(thread thread tsan ${thread_sanitizer_options})
