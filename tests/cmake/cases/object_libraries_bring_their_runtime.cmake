# Objects that a target has among its sources hand on no link options: the link succeeds without the runtime, the
# program runs, and nothing is ever written.
configure(objects -DENABLE_DEVICE_COVERAGE=ON)
build()
foreach(file IN ITEMS libby_link.so libby_sources.so by_archive by_interface)
  expect_names("${BUILD_DIR}/${file}" .note.device_coverage __llvm_profile_runtime libdevice_coverage.so)
endforeach()
