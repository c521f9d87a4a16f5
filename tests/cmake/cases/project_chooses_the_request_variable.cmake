# RCCL's users know ENABLE_FULL_COVERAGE.
configure(kernels -DDeviceCoverage_REQUEST_VARIABLE=ENABLE_FULL_COVERAGE -DENABLE_FULL_COVERAGE=ON
  STDOUT "DeviceCoverage: policy: ENABLE_FULL_COVERAGE=ON and LLVM")
configure(kernels -DENABLE_FULL_COVERAGE=perhaps FAILS
  STDERR "policy: ENABLE_FULL_COVERAGE is `perhaps`")
