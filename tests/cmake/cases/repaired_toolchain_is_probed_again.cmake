make_toolchain(WITHOUT llvm-profdata)
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO STDOUT "has no llvm-profdata")
file(CREATE_LINK "${LLVM_BIN_DIR}/llvm-profdata" "${FAKE_BIN_DIR}/llvm-profdata" SYMBOLIC)
configure(kernels STDOUT "ENABLE_DEVICE_COVERAGE=AUTO and LLVM [0-9.]+ can do it")
