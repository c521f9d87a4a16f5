# Only what clang compiles and links may get clang's flags.
file(WRITE "${WORK_DIR}/toolchain.cmake" "
include([==[${TOOLCHAIN_FILE}]==])
set(CMAKE_CXX_COMPILER [==[${HOST_COMPILER}]==])
set(CMAKE_CXX_FLAGS_INIT \"\")
")
set(COMPILER_OPTION "-DCMAKE_TOOLCHAIN_FILE=${WORK_DIR}/toolchain.cmake"
  -DCMAKE_HIP_ARCHITECTURES=gfx90a -Wno-error=dev -Wno-dev)
configure(hip-language -DENABLE_DEVICE_COVERAGE=ON STDERR ".*")
build(STDERR ".*")
expect_names("${BUILD_DIR}/libkernels.so" .note.device_coverage __llvm_prf_cnts libdevice_coverage.so)
