# A fat binary of nothing, or for nothing, must not be built in silence.
configure(wrong-calls -DENABLE_DEVICE_COVERAGE=ON -DCALL=fat_binary_empty FAILS
  STDERR "DeviceCoverage: fat binary: device_coverage_add_fat_binary\\(kernels\\) was given SOURCES ``, TARGET_IDS `gfx90a` and ``; it cannot be built; give it at least one source")
configure(wrong-calls -DENABLE_DEVICE_COVERAGE=OFF -DCALL=fat_binary_targets FAILS
  STDERR "was given SOURCES `kernels.cpp`, TARGET_IDS `` and `gfx90a`; it cannot be built")
