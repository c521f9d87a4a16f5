# What is not known when the package is found would be left out in silence.
configure(languages -DENABLE_DEVICE_COVERAGE=ON "-DCMAKE_C_COMPILER=${LLVM_BIN_DIR}/clang" -DLATE_LANGUAGE=C
  -DLATE_SOURCE=../kernels/hip_stub.c)
file(READ "${BUILD_DIR}/compile_commands.json" commands)
if(NOT commands MATCHES "-fcoverage-mapping[^\n]* -c [^\n]*hip_stub.c")
  fail("a language that was enabled later is not measured:\n${commands}")
endif()

# HIP has a compiler of its own: another one than was probed, as far as paths tell.
write_program("${WORK_DIR}/wrapped-clang++" "exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
file(WRITE "${WORK_DIR}/toolchain.cmake" "
include([==[${TOOLCHAIN_FILE}]==])
set(CMAKE_CXX_COMPILER [==[${WORK_DIR}/wrapped-clang++]==])
")
set(BUILD_DIR "${WORK_DIR}/hip")
set(COMPILER_OPTION "-DCMAKE_TOOLCHAIN_FILE=${WORK_DIR}/toolchain.cmake" -DCMAKE_HIP_ARCHITECTURES=gfx90a
  -DLATE_LANGUAGE=HIP -DLATE_SOURCE=../hip-language/kernels.hip -Wno-error=dev -Wno-dev)
set(fact "DeviceCoverage: toolchain: HIP was enabled after the package was found, and its compiler `${LLVM_BIN_DIR}/clang\\+\\+` was not probed")
configure(languages -DENABLE_DEVICE_COVERAGE=ON FAILS STDERR
  "${fact}; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; call find_package\\(DeviceCoverage\\) after enable_language\\(HIP\\)")
configure(languages -DENABLE_DEVICE_COVERAGE=AUTO STDERR ".*" STDOUT "${fact}; HIP sources are not measured")
