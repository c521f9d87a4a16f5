# A subproject's variables are not its parent's, and its targets have other names than imported ones.
foreach(PACKAGE_FROM IN ITEMS installed build-tree added fetched)
  set(BUILD_DIR "${WORK_DIR}/${PACKAGE_FROM}")
  configure(no-device-code -DENABLE_DEVICE_COVERAGE=ON
    STDOUT "ENABLED=\\[TRUE\\].*HOST_ENABLED=\\[TRUE\\].*LLVM_PROFDATA=\\[${LLVM_BIN_DIR}/llvm-profdata\\]")
endforeach()
