# When coverage is off all lists are empty, and the pipeline is the project's own.
configure(custom-device-link -DENABLE_DEVICE_COVERAGE=OFF)
build()
expect_no_names("${BUILD_DIR}/libcustom.so" .note.device_coverage libdevice_coverage.so __llvm_prf_cnts)

# With a blocker the pipeline's code objects have no coverage map: llvm-cov must not be given them.
make_toolchain(WITHOUT lld)
set(BUILD_DIR "${WORK_DIR}/blocked")
configure(custom-device-link -DENABLE_DEVICE_COVERAGE=AUTO STDOUT "falling back to coverage of host code only")
file(READ "${BUILD_DIR}/device-coverage/custom/device-coverage.json" manifest)
string(JSON objects GET "${manifest}" objects)
if(objects MATCHES "code_object")
  fail("the fallback build reports code objects: ${objects}")
endif()
check_output("the objects of the fallback build" "${objects}" "/program\".*/libcustom.so\"")
