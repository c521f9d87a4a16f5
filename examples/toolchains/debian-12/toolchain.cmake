# HIP 5.2.3 and ROCr 5.2.3 as Debian 12 packages them, with Debian's clang 22.
#
# Debian spreads ROCm over its multiarch folders, where neither clang nor CMake's HIP language looks, and
# pairs it with a compiler that is years younger. This file bridges both gaps for the examples and the
# tests; the DeviceCoverage package itself assumes nothing of it.
#
# DEBIAN_12_LLVM_MAJOR  the LLVM major version to use; 22 unless set

set(DEBIAN_12_LLVM_MAJOR 22 CACHE STRING "Major version of Debian's clang to build HIP code with")
set(_debian_12_multiarch x86_64-linux-gnu)

# A folder with the layout of /opt/rocm, made of links. Inner try_compile projects get the outer one's.
if(NOT DEFINED DEBIAN_12_ROCM_ROOT)
  set(DEBIAN_12_ROCM_ROOT "${CMAKE_BINARY_DIR}/debian-12-rocm")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DEBIAN_12_ROCM_ROOT DEBIAN_12_LLVM_MAJOR)
if(NOT EXISTS "${DEBIAN_12_ROCM_ROOT}/lib/cmake")
  file(MAKE_DIRECTORY "${DEBIAN_12_ROCM_ROOT}/lib" "${DEBIAN_12_ROCM_ROOT}/include")
  file(CREATE_LINK "/usr/lib/${_debian_12_multiarch}/amdgcn" "${DEBIAN_12_ROCM_ROOT}/amdgcn" SYMBOLIC)
  file(CREATE_LINK "/usr/include/hip" "${DEBIAN_12_ROCM_ROOT}/include/hip" SYMBOLIC)
  file(CREATE_LINK "/usr/share" "${DEBIAN_12_ROCM_ROOT}/share" SYMBOLIC)
  file(CREATE_LINK "/usr/lib/${_debian_12_multiarch}/cmake" "${DEBIAN_12_ROCM_ROOT}/lib/cmake" SYMBOLIC)
endif()

set(CMAKE_CXX_COMPILER "/usr/lib/llvm-${DEBIAN_12_LLVM_MAJOR}/bin/clang++")
set(CMAKE_HIP_COMPILER "/usr/lib/llvm-${DEBIAN_12_LLVM_MAJOR}/bin/clang++")
set(CMAKE_HIP_COMPILER_ROCM_ROOT "${DEBIAN_12_ROCM_ROOT}")
# CMake's check of the HIP compiler sees the environment's prefix path only.
set(ENV{CMAKE_PREFIX_PATH} "${DEBIAN_12_ROCM_ROOT}:$ENV{CMAKE_PREFIX_PATH}")

# HIP 5.2.3 loads code objects of version 4 only. The prefix header supplies what its headers lack. Spaces
# are escaped, not quoted: CMake's identification of the HIP compiler hands quotes on literally. Sources that
# are no HIP code get the flags too, and need not say that they have no use for them.
string(REPLACE " " "\\ " _debian_12_rocm_path "${DEBIAN_12_ROCM_ROOT}")
string(REPLACE " " "\\ " _debian_12_prefix_header "${CMAKE_CURRENT_LIST_DIR}/hip_compat.h")
string(CONCAT _debian_12_flags "--rocm-path=${_debian_12_rocm_path} -mcode-object-version=4 "
  "-include ${_debian_12_prefix_header} -Wno-unused-command-line-argument")
set(CMAKE_CXX_FLAGS_INIT "${_debian_12_flags}")
set(CMAKE_HIP_FLAGS_INIT "${_debian_12_flags}")

# hip-lang names /usr/include as a system folder of its own. CMake leaves it out, as it must for libstdc++'s
# #include_next, only once it knows the folder as implicit; its check of the compiler comes before that.
set(CMAKE_HIP_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)
