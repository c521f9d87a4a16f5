# BUILD_CODE_COVERAGE options add unqualified flags, which instrument device code whether it has a runtime or not;
# such an image does not load.
make_toolchain(WITHOUT lld)
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO "-DCMAKE_CXX_FLAGS=-fprofile-instr-generate -fcoverage-mapping" STDOUT
  "DeviceCoverage: instrument: `shared` has -fprofile-instr-generate among its own flags, which instruments its device code; it is switched off for its device code; leave coverage flags to device_coverage_instrument")
build()
check_run("${LLVM_BIN_DIR}/llvm-objcopy" --dump-section=.hip_fatbin=fatbin "${BUILD_DIR}/libshared.so" out.so)
expect_no_names("${WORK_DIR}/fatbin" __llvm_prf_cnts __llvm_covmap)
expect_names("${BUILD_DIR}/libshared.so" __llvm_prf_cnts __llvm_covmap)

# Flags for one side are not taken for those of the other; the last one wins.
function(expect_told told flags)
  file(REMOVE_RECURSE "${BUILD_DIR}")
  if(told)
    configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO "-DCMAKE_CXX_FLAGS=${flags}" STDOUT "which instruments its device code")
  else()
    configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO "-DCMAKE_CXX_FLAGS=${flags}" NOT_STDOUT "among its own flags")
  endif()
endfunction()
expect_told(FALSE "-Xarch_host -fprofile-instr-generate")
expect_told(TRUE "-Xarch_device -fprofile-instr-generate -Wno-unused-command-line-argument")
expect_told(FALSE "-fprofile-instr-generate -Xarch_device -fno-profile-instr-generate")

# Where device code is measured they are told of too: what is not instrumented has no runtime.
unset(COMPILER_OPTION)
file(REMOVE_RECURSE "${BUILD_DIR}")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON "-DCMAKE_CXX_FLAGS=-fprofile-instr-generate=of-the-project" STDOUT
  "DeviceCoverage: instrument: the project's flags have -fprofile-instr-generate, which instruments the device code of all targets; that of targets without device_coverage_instrument has no device runtime, and may not load; leave coverage flags to device_coverage_instrument.*`shared` has -fprofile-instr-generate=of-the-project among its own flags; its device profiles do not take that name; name profiles by the environment variable LLVM_PROFILE_FILE")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON -DCMAKE_CXX_FLAGS= NOT_STDOUT "DeviceCoverage: instrument")
