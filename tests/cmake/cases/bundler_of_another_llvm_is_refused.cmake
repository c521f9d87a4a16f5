# A bundler of another LLVM writes fat binaries that this one misreads: it blocks device code, and host code stays.
make_toolchain(WITHOUT clang-offload-bundler)
write_program("${FAKE_BIN_DIR}/clang-offload-bundler" "echo 'Ubuntu clang-offload-bundler version 17.0.6'")
set(fact "DeviceCoverage: toolchain: `[^`]+/clang-offload-bundler` is of LLVM 17 and the compiler of LLVM [0-9.]+")
configure(no-device-code -DENABLE_DEVICE_COVERAGE=ON FAILS
  STDERR "${fact}; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; repair the LLVM installation")
configure(no-device-code -DENABLE_DEVICE_COVERAGE=AUTO
  STDOUT "${fact}; falling back to coverage of host code only; .*-- ENABLED=\\[FALSE\\].*HOST_ENABLED=\\[TRUE\\]")
