# Every object that is instrumented has its runtime, on both sides: the host's profile runtime and the drain in
# what is linked, the device runtime in the device image.
configure(kernels -DENABLE_DEVICE_COVERAGE=ON
  STDOUT "DeviceCoverage: policy: ENABLE_DEVICE_COVERAGE=ON and LLVM [0-9.]+ can do it; host and device code \\(gfx90a\\) are measured")
build()
foreach(file IN ITEMS libshared.so program)
  expect_names("${BUILD_DIR}/${file}" .note.device_coverage __llvm_prf_cnts __llvm_profile_runtime
    libdevice_coverage.so)
endforeach()
check_run("${BUILD_DIR}/program" DIRECTORY "${WORK_DIR}")
