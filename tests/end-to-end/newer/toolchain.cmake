# A HIP and a clang that tests/debian-root/unpack has unpacked: ROCM_ROOT and LLVM_ROOT are their folders. What
# is linked runs on the C library of the former.
if(NOT EXISTS "${ROCM_ROOT}/request" OR NOT EXISTS "${LLVM_ROOT}/request")
  message(FATAL_ERROR "SKIPPED: there are no unpacked packages in `${ROCM_ROOT}` or in `${LLVM_ROOT}`")
endif()

# clang looks for libraries and headers as /opt/rocm has them, hence a folder of links.
if(NOT DEFINED ROCM_LINKS)
  set(ROCM_LINKS "${CMAKE_BINARY_DIR}/rocm")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ROCM_ROOT LLVM_ROOT ROCM_LINKS)
if(NOT EXISTS "${ROCM_LINKS}/lib")
  file(MAKE_DIRECTORY "${ROCM_LINKS}")
  file(CREATE_LINK "${ROCM_ROOT}/usr/lib/x86_64-linux-gnu" "${ROCM_LINKS}/lib" SYMBOLIC)
  file(CREATE_LINK "${ROCM_ROOT}/usr/include" "${ROCM_LINKS}/include" SYMBOLIC)
endif()

file(GLOB _compiler "${LLVM_ROOT}/usr/lib/llvm-*/bin/clang++")
set(CMAKE_CXX_COMPILER "${_compiler}")
file(GLOB_RECURSE _device_library "${ROCM_ROOT}/usr/lib/ocml.bc")
list(GET _device_library 0 _device_library)
get_filename_component(_device_libraries "${_device_library}" DIRECTORY)
file(GLOB _resources "${LLVM_ROOT}/usr/lib/llvm-*/lib/clang/*")
# Debian's HIP includes compiler headers by their path under the resource folder.
string(CONCAT CMAKE_CXX_FLAGS_INIT "--rocm-path=${ROCM_LINKS} --rocm-device-lib-path=${_device_libraries} "
  "-idirafter ${_resources} -Wno-unused-command-line-argument")

file(READ "${ROCM_ROOT}/loader" _loader)
string(STRIP "${_loader}" _loader)
set(_libraries "${ROCM_ROOT}/usr/lib/x86_64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-Wl,--allow-shlib-undefined -Wl,--dynamic-linker=${_loader} -Wl,--disable-new-dtags,-rpath,${_libraries}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,--allow-shlib-undefined -Wl,--disable-new-dtags,-rpath,${_libraries}")
list(APPEND CMAKE_PREFIX_PATH "${ROCM_ROOT}/usr")
