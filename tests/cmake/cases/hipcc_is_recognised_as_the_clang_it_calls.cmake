# hipcc prints a line of its own before clang's, and lies in another folder than the tools.
write_program("${WORK_DIR}/hipcc" "
if [ \"$1\" = --version ]; then echo 'HIP version: 6.2.41133-dd7f95766'; fi
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
set(COMPILER_OPTION "-DCMAKE_CXX_COMPILER=${WORK_DIR}/hipcc")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON STDOUT "ENABLE_DEVICE_COVERAGE=ON and LLVM [0-9.]+ can do it")
build()
expect_names("${BUILD_DIR}/program" .note.device_coverage __llvm_profile_runtime)
