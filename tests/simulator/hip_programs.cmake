# How HIP programs of the tests are compiled: with clang, whatever compiles the rest, for the HIP of this machine. What
# is included from here on finds HIP_CLANG, HIP_LIBRARY, hip_flags (all but processor and level) and
# hip_compatibility_header, which they include.
find_library(HIP_LIBRARY amdhip64 REQUIRED)
find_program(HIP_CLANG NAMES clang++-22 clang++ HINTS /usr/lib/llvm-22/bin REQUIRED)
find_path(
  ROCM_DEVICE_LIBRARIES
  NAMES ocml.bc
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode /opt/rocm/amdgcn/bitcode REQUIRED)
set(hip_compatibility_header ${PROJECT_SOURCE_DIR}/examples/toolchains/debian-12/hip_compat.h)
set(hip_flags -x hip --rocm-device-lib-path=${ROCM_DEVICE_LIBRARIES} -mcode-object-version=4 -include
              ${hip_compatibility_header} -std=c++20)
