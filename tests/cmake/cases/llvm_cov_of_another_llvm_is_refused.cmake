make_toolchain(WITHOUT llvm-cov)
write_program("${FAKE_BIN_DIR}/llvm-cov" "echo 'Ubuntu LLVM version 17.0.6'")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON FAILS STDERR
  "DeviceCoverage: toolchain: `[^`]+/llvm-cov` is of LLVM 17 and the compiler of LLVM [0-9.]+; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; repair the LLVM installation")
