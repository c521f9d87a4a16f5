# From LLVM 23 on the driver adds the toolchain's collector to HIP links, and has host code register with it: two
# collectors in one process write every count twice. A link without the package has it, one with the package not.
file(MAKE_DIRECTORY "${WORK_DIR}/rocm/lib")
check_run("${LLVM_BIN_DIR}/clang" -shared -fPIC "${CMAKE_CURRENT_LIST_DIR}/../projects/kernels/hip_stub.c"
  -o "${WORK_DIR}/rocm/lib/libamdhip64.so")
set(hip_link "--hip-link --rocm-path=${WORK_DIR}/rocm -Wl,-rpath,${WORK_DIR}/rocm/lib")
set(options "-DCMAKE_C_COMPILER=${LLVM_BIN_DIR}/clang" "-DCMAKE_EXE_LINKER_FLAGS=${hip_link}" "-DCMAKE_SHARED_LINKER_FLAGS=${hip_link}")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON ${options} STDOUT
  "DeviceCoverage: toolchain: the compiler brings a collector of device profiles, `[^`]*libclang_rt.profile_rocm[^`]*`; it is kept out")
build()
foreach(file IN ITEMS libshared.so program)
  expect_names("${BUILD_DIR}/${file}" libdevice_coverage.so)
  # The host's profile runtime refers to it weakly.
  check_run("${LLVM_BIN_DIR}/llvm-nm" --defined-only "${BUILD_DIR}/${file}" NOT_STDOUT __llvm_profile_hip_collect)
endforeach()
check_run("${BUILD_DIR}/program")

file(REMOVE_RECURSE "${BUILD_DIR}")
configure(kernels -DENABLE_DEVICE_COVERAGE=OFF ${options} 
  "-DCMAKE_CXX_FLAGS=-Xarch_host -fprofile-instr-generate -Wno-unused-command-line-argument")
build(program)
check_run("${LLVM_BIN_DIR}/llvm-nm" --defined-only "${BUILD_DIR}/program" STDOUT __llvm_profile_hip_collect)

# On request it is the other way round.
file(REMOVE_RECURSE "${BUILD_DIR}")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON -DDEVICE_COVERAGE_COLLECTOR=TOOLCHAIN ${options} STDOUT
  "libclang_rt.profile_rocm[^`]*`; it collects, as DEVICE_COVERAGE_COLLECTOR=TOOLCHAIN asks, and the package's drain is not linked")
build(program)
check_run("${LLVM_BIN_DIR}/llvm-nm" --defined-only "${BUILD_DIR}/program" STDOUT __llvm_profile_hip_collect)
check_run("${LLVM_BIN_DIR}/llvm-readelf" -d "${BUILD_DIR}/program" NOT_STDOUT libdevice_coverage)
