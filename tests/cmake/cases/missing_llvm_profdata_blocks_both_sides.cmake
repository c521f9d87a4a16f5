# Without llvm-profdata of the same LLVM no profile can be read, and one from PATH must not stand in for it.
make_toolchain(WITHOUT llvm-profdata)
set(ENV{PATH} "${LLVM_BIN_DIR}:$ENV{PATH}")
set(fact "DeviceCoverage: toolchain: the compiler's LLVM installation `${FAKE_BIN_DIR}` has no llvm-profdata \\(it merges profiles\\)")
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO STDOUT "${fact}; nothing is instrumented; install llvm-profdata of this LLVM")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON FAILS STDERR "${fact}; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; install")
