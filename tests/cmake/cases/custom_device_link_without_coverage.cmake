# When coverage is off all lists are empty, and the pipeline is the project's own.
configure(custom-device-link -DENABLE_DEVICE_COVERAGE=OFF)
build()
expect_no_names("${BUILD_DIR}/libcustom.so" .note.device_coverage libdevice_coverage.so __llvm_prf_cnts)
