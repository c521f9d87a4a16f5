# AUTO that is written back as its own answer would never be probed again when the toolchain changes.
foreach(value IN ITEMS Auto on OFF)
  configure(kernels -DENABLE_DEVICE_COVERAGE=${value})
  expect_cache(ENABLE_DEVICE_COVERAGE ${value})
endforeach()
make_toolchain(WITHOUT llvm-cov)
set(BUILD_DIR "${WORK_DIR}/blocked")
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO STDOUT "nothing is instrumented")
expect_cache(ENABLE_DEVICE_COVERAGE AUTO)
