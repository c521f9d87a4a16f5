# What is not taken for a target ID is not probed, and what cannot be measured is then found out by the build.
function(expect_targets pattern)
  file(REMOVE_RECURSE "${BUILD_DIR}")
  configure(no-device-code -DENABLE_DEVICE_COVERAGE=ON ${ARGN} STDOUT "host and device code ${pattern}are measured")
endfunction()
expect_targets("\\(gfx90a, gfx906:xnack-\\) "
  "-DCMAKE_CXX_FLAGS=-Wno-unused-command-line-argument --offload-arch=gfx90a,gfx906:xnack-")
expect_targets("\\(gfx9-4-generic\\) " "-DAMDGPU_TARGETS=native\\;gfx9-4-generic" -DCMAKE_CXX_FLAGS=-mcode-object-version=6)
expect_targets("" -DGPU_TARGETS=all)
expect_targets("\\(gfx942\\) " -DGPU_TARGETS=gfx90a -DDeviceCoverage_TARGETS=gfx942)
