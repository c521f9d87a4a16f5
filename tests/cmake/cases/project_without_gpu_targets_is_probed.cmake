# A project may name no target ID that configure time can see; the toolchain must be proven all the same.
make_toolchain(WITHOUT llvm-ar)
write_program("${FAKE_BIN_DIR}/llvm-ar" "echo 'error: archive index overflow' >&2; exit 1")
configure(no-device-code -DENABLE_DEVICE_COVERAGE=ON FAILS STDERR
  "DeviceCoverage: probe: the device runtime does not compile: error: archive index overflow; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled")
