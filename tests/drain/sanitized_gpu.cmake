# The tests on a GPU once more with a drain under sanitizers. HIP, ROCr and the test programs are not, so the
# sanitizer's runtime is loaded ahead of them all, and the drain is found ahead of the run path of the programs.

# add_sanitized_gpu_tests(<name> <sanitizers> <runtime> <options>): <runtime> as in libclang_rt.<runtime>.so, <options>
# the environment variable of that runtime
function(add_sanitized_gpu_tests name sanitizers runtime options)
  execute_process(COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" "-print-file-name=libclang_rt.${runtime}-x86_64.so"
    OUTPUT_VARIABLE preloaded OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS "${preloaded}")
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
    ENVIRONMENT "LD_PRELOAD=${preloaded};LD_LIBRARY_PATH=${dir};${options}")
  # Else the test above would measure the drain that has no sanitizer.
  add_test(NAME drain.sanitized.${name}.isWhatProgramsLoad COMMAND ldd "${gpu_dir}/program")
  set_tests_properties(drain.sanitized.${name}.isWhatProgramsLoad PROPERTIES LABELS drain
    ENVIRONMENT "LD_LIBRARY_PATH=${dir}" PASS_REGULAR_EXPRESSION "=> ${dir}/libdevice_coverage.so ")
endfunction()

# Leaks are not looked for: HIP keeps what it has at exit, as the drain does on purpose. Faults of kernels are the
# simulator's to catch.
add_sanitized_gpu_tests(addressAndUndefined address,undefined asan
  "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:verify_asan_link_order=0")
# What ROCr and HIP do among themselves cannot be judged without their sources' help.
add_sanitized_gpu_tests(thread thread tsan "TSAN_OPTIONS=ignore_noninstrumented_modules=1")
