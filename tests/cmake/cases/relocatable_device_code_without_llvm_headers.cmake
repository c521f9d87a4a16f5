# LLVM 22 needs a plugin for relocatable device code, and that the headers of the compiler's LLVM, which this
# toolchain lacks. ON fails; AUTO must not fail, nor build device code that loses coverage.
make_toolchain()
set(sentence "is compiled with -fgpu-rdc and the compiler's LLVM installation has no headers in ")
set(options -DGPU_TARGETS=gfx90a -DDRIVER=--no-offload-new-driver -DOPTIMIZATION=-O1)
configure(rdc -DENABLE_DEVICE_COVERAGE=ON ${options} FAILS
  STDERR "DeviceCoverage: instrument: `helpers` ${sentence}.*; only one of its sources would be measured; install the development headers")
file(REMOVE_RECURSE "${BUILD_DIR}")
configure(rdc -DENABLE_DEVICE_COVERAGE=AUTO ${options}
  STDOUT "DeviceCoverage: instrument: `kernels` ${sentence}.*; its device code is not measured; install the development headers")
build()
expect_names("${BUILD_DIR}/libkernels.so" __llvm_profile_runtime)
expect_no_names("${BUILD_DIR}/libkernels.so" .note.device_coverage libdevice_coverage.so)
