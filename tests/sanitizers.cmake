# How tests put instrumented code under programs and libraries that have no sanitizer: HIP, ROCr and what is linked
# with them. The sanitizer's shared runtime is preloaded ahead of all.

# Options for that. Leaks are not looked for: HIP keeps what it has at exit, as the drain and the software GPU do on
# purpose. Crashes are the software GPU's to catch, or the program's own.
set(address_sanitizer_options
  ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:verify_asan_link_order=0 UBSAN_OPTIONS=print_stacktrace=1)
# What ROCr and HIP do among themselves cannot be judged without their sources' help. Children may start threads.
set(thread_sanitizer_options
  TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0:handle_segv=0:handle_sigbus=0)

# Sets `variable` to the shared runtime of `compiler`, a clang; `name` is `asan` or `tsan`. Empty where it has none.
function(find_sanitizer_runtime variable compiler name)
  execute_process(COMMAND "${compiler}" "-print-file-name=libclang_rt.${name}-x86_64.so"
    OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT EXISTS "${runtime}")
    set(runtime "")
  endif()
  set(${variable} "${runtime}" PARENT_SCOPE)
endfunction()
