# Full debug information beside coverage maps has made device code too large to load. The last debug option counts, so
# ours must stand behind those of the build and of the target; the host's debug information is left alone.
function(count_variables outHost outDevice object)
  check_run("${LLVM_BIN_DIR}/llvm-objcopy" --dump-section=.hip_fatbin=fatbin "${object}" out.o)
  check_run("${LLVM_BIN_DIR}/clang-offload-bundler" --unbundle --type=o --input=fatbin --output=image.elf
    --targets=hipv4-amdgcn-amd-amdhsa--gfx90a)
  count_variables_in(host "${object}")
  count_variables_in(device image.elf)
  set(${outHost} ${host} PARENT_SCOPE)
  set(${outDevice} ${device} PARENT_SCOPE)
endfunction()

# Variables and parameters are described by full debug information alone.
function(count_variables_in outCount file)
  check_run("${LLVM_BIN_DIR}/llvm-dwarfdump" --debug-info "${file}" STDOUT "DW_TAG_compile_unit")
  string(REGEX MATCHALL "DW_TAG_(variable|formal_parameter)" found "${RUN_OUTPUT}")
  list(LENGTH found count)
  set(${outCount} ${count} PARENT_SCOPE)
endfunction()

function(expect_cut)
  count_variables(host device "${BUILD_DIR}/CMakeFiles/static.dir/kernels.cpp.o")
  if(host EQUAL 0)
    fail("the host's debug information was cut as well")
  endif()
  expect_equal("the number of variables described in the device image" ${device} 0)
endfunction()

set(project kernels -DENABLE_DEVICE_COVERAGE=ON -DCMAKE_BUILD_TYPE=Debug "-DLATER_OPTIONS=-ggdb3")
configure(${project})
build(static)
count_variables(host device "${BUILD_DIR}/CMakeFiles/static.dir/kernels.cpp.o")
if(host EQUAL 0 OR device EQUAL 0)
  fail("the debug information to be cut is not there: ${host} host and ${device} device variables")
endif()

configure(${project} -DDEVICE_COVERAGE_DEBUG_INFO=LINE_TABLES)
build(static)
expect_cut()
configure(${project} -DDEVICE_COVERAGE_DEBUG_INFO=line_tables -DSIDES=DEVICE_ONLY)
build(static)
expect_cut()

# The pipelines' options, behind those of the pipeline.
file(REMOVE_RECURSE "${BUILD_DIR}")
configure(fat-binary -DENABLE_DEVICE_COVERAGE=ON -DCMAKE_BUILD_TYPE=Debug -DDEVICE_COVERAGE_DEBUG_INFO=LINE_TABLES)
build()
count_variables_in(device "${BUILD_DIR}/kernels-gfx906.elf")
expect_equal("the number of variables described in the fat binary" ${device} 0)

configure(fat-binary -DENABLE_DEVICE_COVERAGE=ON -DDEVICE_COVERAGE_DEBUG_INFO=none FAILS STDERR
  "DeviceCoverage: instrument: DEVICE_COVERAGE_DEBUG_INFO is `none`; it is not known how much debug information device \
code is to have; use UNCHANGED or LINE_TABLES")
