# As relocatable_device_code_keeps_every_function, for the fat binary that the package builds.
function(expect_functions image)
  check_run("${LLVM_BIN_DIR}/llvm-cov" export -summary-only -empty-profile "${BUILD_DIR}/${image}")
  string(JSON functions GET "${RUN_OUTPUT}" data 0 totals instantiations count)
  expect_equal("the number of device functions in ${image}" "${functions}" 9)
endfunction()
configure(fat-binary -DENABLE_DEVICE_COVERAGE=ON)
build()
check_run("${BUILD_DIR}/program")
foreach(image IN ITEMS kernels-gfx90a_xnack_.elf kernels-gfx906.elf)
  expect_functions(${image})
  expect_names("${BUILD_DIR}/${image}" .note.device_coverage _Z5firstPi.kd _Z6secondPi.kd)
endforeach()
build(NOT_STDOUT "Bundling")
file(READ "${BUILD_DIR}/device-coverage/fat-binary/device-coverage.json" manifest)
string(JSON path GET "${manifest}" objects 1 path)
expect_equal("the second object" "${path}" "${BUILD_DIR}/kernels-gfx90a_xnack_.elf")

# Compressed, the fat binary holds the same images.
configure(fat-binary -DCOMPRESS=COMPRESS)
build()
check_run("${BUILD_DIR}/program" compressed)
check_run("${LLVM_BIN_DIR}/clang-offload-bundler" --unbundle --type=o "--input=${BUILD_DIR}/kernels.fatbin"
  --output=image.elf --targets=hipv4-amdgcn-amd-amdhsa--gfx906)
file(SHA1 "${WORK_DIR}/image.elf" unbundled)
file(SHA1 "${BUILD_DIR}/kernels-gfx906.elf" image)
expect_equal("the image in the compressed fat binary" "${unbundled}" "${image}")

# Without coverage the same function builds the same things.
file(REMOVE_RECURSE "${BUILD_DIR}")
configure(fat-binary -DENABLE_DEVICE_COVERAGE=OFF)
build()
check_run("${BUILD_DIR}/program")
expect_no_names("${BUILD_DIR}/kernels-gfx906.elf" __llvm_prf_cnts .note.device_coverage)
