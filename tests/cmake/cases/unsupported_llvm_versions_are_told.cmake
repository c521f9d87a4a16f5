function(make_version version)
  make_toolchain()
  write_program("${FAKE_BIN_DIR}/clang++" "
if [ \"$1\" = --version ]; then echo 'clang version ${version}'; echo 'InstalledDir: ${FAKE_BIN_DIR}'; exit; fi
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
  foreach(tool IN ITEMS llvm-profdata llvm-cov)
    file(REMOVE "${FAKE_BIN_DIR}/${tool}")
    write_program("${FAKE_BIN_DIR}/${tool}" "echo 'LLVM version ${version}'")
  endforeach()
  set(COMPILER_OPTION "${COMPILER_OPTION}" PARENT_SCOPE)
endfunction()
make_version(13.0.1)
configure(no-device-code -DENABLE_DEVICE_COVERAGE=AUTO STDOUT
  "DeviceCoverage: toolchain: the compiler is clang 13.0.1; nothing is instrumented; use a clang of LLVM 15 or newer")
