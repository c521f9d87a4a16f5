set(COMPILER_OPTION "-DCMAKE_CXX_COMPILER=${HOST_COMPILER}")
set(fact "DeviceCoverage: toolchain: the compiler `[^`]+` is not clang")
configure(no-device-code -DENABLE_DEVICE_COVERAGE=AUTO
  STDOUT "${fact}; nothing is instrumented; configure with -DCMAKE_CXX_COMPILER=<clang\\+\\+ of ROCm or LLVM>")
if(RUN_OUTPUT MATCHES "is not clang.*is not clang")
  fail("the reason is said more than once")
endif()
build()
configure(no-device-code -DENABLE_DEVICE_COVERAGE=ON FAILS
  STDERR "${fact}; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; configure with")
