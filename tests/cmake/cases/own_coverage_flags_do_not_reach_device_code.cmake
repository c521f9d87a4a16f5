# BUILD_CODE_COVERAGE options add unqualified flags, which instrument device code whether it has a runtime or not;
# such an image does not load.
make_toolchain(WITHOUT lld)
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO "-DCMAKE_CXX_FLAGS=-fprofile-instr-generate -fcoverage-mapping" STDOUT
  "DeviceCoverage: instrument: `shared` has -fprofile-instr-generate among its own flags, for host and device code alike; it is switched off for its device code; leave coverage flags to device_coverage_instrument")
build()
check_run("${LLVM_BIN_DIR}/llvm-objcopy" --dump-section=.hip_fatbin=fatbin "${BUILD_DIR}/libshared.so" out.so)
expect_no_names("${WORK_DIR}/fatbin" __llvm_prf_cnts __llvm_covmap)
expect_names("${BUILD_DIR}/libshared.so" __llvm_prf_cnts __llvm_covmap)
