# RCCL's users know ENABLE_FULL_COVERAGE.
configure(kernels -DDeviceCoverage_REQUEST_VARIABLE=ENABLE_FULL_COVERAGE -DENABLE_FULL_COVERAGE=ON
  STDOUT "DeviceCoverage: policy: ENABLE_FULL_COVERAGE=ON and LLVM")
configure(kernels -DENABLE_FULL_COVERAGE=perhaps FAILS
  STDERR "policy: ENABLE_FULL_COVERAGE is `perhaps`")
# Its own blockers come before what the probe finds.
configure(kernels -DENABLE_FULL_COVERAGE=AUTO "-DDeviceCoverage_EXTRA_BLOCKERS=the device linker is off" STDOUT
  "DeviceCoverage: project: the device linker is off; falling back to coverage of host code only; see the project's documentation")
configure(kernels -DENABLE_FULL_COVERAGE=AUTO -DDeviceCoverage_EXTRA_BLOCKERS= -DDeviceCoverage_MINIMUM_ROCM_VERSION=7.15
  -DDeviceCoverage_ROCM_VERSION=7.2 STDOUT
  "DeviceCoverage: project: ROCm is 7.2 and the project asks for 7.15 or newer; falling back")
