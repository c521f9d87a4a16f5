# LLVM 22 refuses the link of several instrumented units, and with the switch that lets it pass drops all
# functions but those of the first. Sources: halved, step (helpers); raised<2>, step, first; raised<3>, step,
# doubled, second.
function(expect_functions count architecture)
  check_run("${LLVM_BIN_DIR}/llvm-objcopy" --dump-section=.hip_fatbin=fatbin "${BUILD_DIR}/libkernels.so" out.so)
  check_run("${LLVM_BIN_DIR}/clang-offload-bundler" --unbundle --type=o --input=fatbin --output=image.elf
    --targets=hipv4-amdgcn-amd-amdhsa--${architecture})
  check_run("${LLVM_BIN_DIR}/llvm-cov" export -summary-only -empty-profile image.elf)
  string(JSON functions GET "${RUN_OUTPUT}" data 0 totals instantiations count)
  expect_equal("the number of device functions for ${architecture}" "${functions}" "${count}")
endfunction()
foreach(driver IN ITEMS --no-offload-new-driver --offload-new-driver)
  foreach(optimization IN ITEMS -O0 -O1 -O3)
    configure(rdc -DENABLE_DEVICE_COVERAGE=ON -DDRIVER=${driver} -DOPTIMIZATION=${optimization}
      "-DGPU_TARGETS=gfx90a,gfx906")
    build()
    expect_functions(9 gfx90a)
    expect_functions(9 gfx906)
  endforeach()
endforeach()
