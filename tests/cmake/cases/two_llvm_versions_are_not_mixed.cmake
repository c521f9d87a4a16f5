# The HIP compiler is clang 22 and the C++ compiler says that it is another clang.
write_program("${WORK_DIR}/clang++" "exec '${LLVM_BIN_DIR}/clang++' -Wno-builtin-macro-redefined -D__clang_major__=18 \"$@\"")
file(WRITE "${WORK_DIR}/toolchain.cmake" "
include([==[${TOOLCHAIN_FILE}]==])
set(CMAKE_CXX_COMPILER [==[${WORK_DIR}/clang++]==])
set(CMAKE_CXX_FLAGS_INIT \"\")
")
set(COMPILER_OPTION "-DCMAKE_TOOLCHAIN_FILE=${WORK_DIR}/toolchain.cmake"
  -DCMAKE_HIP_ARCHITECTURES=gfx90a -Wno-error=dev -Wno-dev)
configure(hip-language -DENABLE_DEVICE_COVERAGE=ON STDERR ".*" STDOUT
  "DeviceCoverage: toolchain: the CXX compiler is clang 18[0-9.]+ and the HIP compiler clang [0-9.]+; CXX sources are not measured; use one LLVM for all languages")
file(READ "${BUILD_DIR}/compile_commands.json" commands)
string(JSON count LENGTH "${commands}")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON command GET "${commands}" ${index} command)
  if(command MATCHES "plain.cpp" AND command MATCHES "fprofile-instr-generate")
    fail("a C++ source is instrumented: ${command}")
  elseif(command MATCHES "kernels.hip" AND NOT command MATCHES "fprofile-instr-generate")
    fail("the HIP source is not instrumented: ${command}")
  endif()
endforeach()
