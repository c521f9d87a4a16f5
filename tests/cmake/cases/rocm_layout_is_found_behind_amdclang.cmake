# ROCm's compiler is a wrapper in another folder than the LLVM that it calls: tools must come from that LLVM, and
# neither from the wrapper's folder nor from PATH.
make_toolchain()
file(MAKE_DIRECTORY "${WORK_DIR}/rocm/lib")
file(RENAME "${WORK_DIR}/toolchain" "${WORK_DIR}/rocm/lib/llvm")
set(llvm "${WORK_DIR}/rocm/lib/llvm/bin")
write_program("${llvm}/clang++" "
if [ \"$1\" = --version ]; then
  exec '${LLVM_BIN_DIR}/clang++' --version | sed 's,^InstalledDir: .*,InstalledDir: ${llvm},'
fi
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
file(MAKE_DIRECTORY "${WORK_DIR}/rocm/bin")
write_program("${WORK_DIR}/rocm/bin/amdclang++" "exec '${llvm}/clang++' \"$@\"")
write_program("${WORK_DIR}/rocm/bin/llvm-profdata" "exit 1")
set(COMPILER_OPTION "-DCMAKE_CXX_COMPILER=${WORK_DIR}/rocm/bin/amdclang++")
configure(no-device-code -DENABLE_DEVICE_COVERAGE=ON
  STDOUT "ENABLED=\\[TRUE\\].*HOST_ENABLED=\\[TRUE\\].*LLVM_PROFDATA=\\[${llvm}/llvm-profdata\\]")
