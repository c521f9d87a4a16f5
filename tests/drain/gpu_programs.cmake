# HIP programs for the tests on a GPU, built with the HIP that find_package finds, or none: sets gpu_programs
# to their files, empty when there is no HIP, and gpu_dir to their folder. Of another toolchain only those are
# built whose names match DEVICE_COVERAGE_TEST_GPU_PROGRAMS.

set(gpu_programs "")
set(gpu_dir "${CMAKE_CURRENT_BINARY_DIR}/gpu")
find_path(HIP_INCLUDE_DIR hip/hip_runtime.h HINTS /opt/rocm/include DOC "HIP's headers")
find_library(HIP_LIBRARY amdhip64 HINTS /opt/rocm/lib DOC "HIP's library")
find_library(HSA_LIBRARY hsa-runtime64 HINTS /opt/rocm/lib DOC "ROCr's library")
find_path(ROCM_DEVICE_LIBS_DIR ockl.bc HINTS /opt/rocm/amdgcn/bitcode
  PATHS "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode" DOC "ROCm's device libraries")
if(NOT HIP_INCLUDE_DIR OR NOT HIP_LIBRARY OR NOT HSA_LIBRARY OR NOT HSA_INCLUDE_DIR OR NOT ROCM_DEVICE_LIBS_DIR)
  message(STATUS "DeviceCoverage: tests: HIP was not found; the drain's tests on a GPU are left out")
  return()
endif()
get_filename_component(rocm_root "${HIP_INCLUDE_DIR}" DIRECTORY)
file(MAKE_DIRECTORY "${gpu_dir}")

set(hip_flags -std=c++17 -O2 --offload-arch=gfx90a -mcode-object-version=4 "--rocm-path=${rocm_root}"
  "--rocm-device-lib-path=${ROCM_DEVICE_LIBS_DIR}" -I "${runtime}/include" -Xoffload-linker --build-id=sha1)
file(STRINGS "${HIP_INCLUDE_DIR}/hip/hip_version.h" hip_major REGEX "define HIP_VERSION_MAJOR")
string(REGEX MATCH "[0-9]+$" hip_major "${hip_major}")
if(hip_major EQUAL 5)
  list(APPEND hip_flags -include "${runtime}/../examples/toolchains/debian-12/hip_compat.h")
else()
  # Its headers include the compiler's by their path below the resource folder.
  list(APPEND hip_flags -idirafter "${resource_dir}" -D__AMDGCN_WAVEFRONT_SIZE=64)
endif()
set(exact_runtime -Xoffload-linker "${device_dir}/runtime4-exact.a")
set(both_sides ${exact_runtime} ${exact})
set(device_side ${exact_runtime} -Xarch_device -fprofile-instr-generate -Xarch_device -fcoverage-mapping
  ${exact_on_device})
set(hip -x none "${HIP_LIBRARY}" -ldl)
# A program on another ROCm needs that one's C library, by options that name its loader.
separate_arguments(other_rocm UNIX_COMMAND "${DEVICE_COVERAGE_TEST_LINK_OPTIONS}")
list(APPEND hip ${other_rocm})
set(with_drain ${hip} "${drain_library}" "-Wl,-rpath,${CMAKE_CURRENT_BINARY_DIR}")

# add_gpu_program(<output> <source> [<flag>...])
function(add_gpu_program output source)
  add_custom_command(OUTPUT "${gpu_dir}/${output}"
    COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" ${hip_flags} -x hip "${CMAKE_CURRENT_SOURCE_DIR}/gpu/${source}"
            -o "${gpu_dir}/${output}" ${ARGN}
    DEPENDS "gpu/${source}" gpu/kernels.h gpu/launch.h "${device_dir}/runtime4-exact.a"
            "${device_dir}/runtime4-covered.a" "${drain_library}"
            "${runtime}/include/device_coverage.h" VERBATIM)
  set(gpu_programs ${gpu_programs} "${gpu_dir}/${output}" PARENT_SCOPE)
endfunction()

add_gpu_program(program program.hip ${both_sides} ${with_drain})
add_gpu_program(device-only program.hip ${device_side} ${with_drain})
add_gpu_program(not-linked program.hip ${device_side} -DDEVICE_COVERAGE_DISABLED ${hip})
add_gpu_program(mcdc program.hip ${device_side} -Xarch_device -fcoverage-mcdc ${with_drain})
add_gpu_program(covered program.hip -Xoffload-linker "${device_dir}/runtime4-covered.a"
  -Xarch_device -fprofile-instr-generate -Xarch_device -fcoverage-mapping
  -Xclang -mllvm -Xclang -enable-single-byte-coverage=true ${with_drain})
add_gpu_program(plugin.so plugin.hip ${device_side} -fPIC -shared ${hip})
add_gpu_program(rdc program.hip ${both_sides} -fgpu-rdc ${with_drain})
add_gpu_program(two-architectures program.hip ${both_sides} --offload-arch=gfx908 ${with_drain})
get_filename_component(hip_library_dir "${HIP_LIBRARY}" DIRECTORY)
file(GLOB hiprtc "${hip_library_dir}/libhiprtc.so") # HIP 5.2 has it in its main library
add_gpu_program(rtc rtc.hip ${both_sides} ${with_drain} ${hiprtc})
# Two libraries that each bring the drain; the second finds it in a folder of its own.
set(second_drain_dir "${gpu_dir}/second-drain")
add_custom_command(OUTPUT "${second_drain_dir}/libdevice_coverage.so"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${second_drain_dir}"
  COMMAND "${CMAKE_COMMAND}" -E copy "${drain_library}" "${second_drain_dir}/libdevice_coverage.so"
  DEPENDS "${drain_library}" VERBATIM)
list(APPEND gpu_programs "${second_drain_dir}/libdevice_coverage.so")
add_gpu_program(libone.so plugin.hip ${device_side} -DPLUGIN_KERNEL=kernelOfOne -DPLUGIN_FUNCTION=launchOne
  -fPIC -shared ${with_drain})
add_gpu_program(libtwo.so plugin.hip ${device_side} -DPLUGIN_KERNEL=kernelOfTwo -DPLUGIN_FUNCTION=launchTwo
  -fPIC -shared ${hip} "${drain_library}" "-Wl,-rpath,${second_drain_dir}")
add_custom_command(OUTPUT "${gpu_dir}/two-libraries"
  COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -std=c++17 -O1 "${CMAKE_CURRENT_SOURCE_DIR}/gpu/two_libraries.cpp"
          -o "${gpu_dir}/two-libraries" "${gpu_dir}/libone.so" "${gpu_dir}/libtwo.so" "-Wl,-rpath,${gpu_dir}"
  DEPENDS gpu/two_libraries.cpp "${gpu_dir}/libone.so" "${gpu_dir}/libtwo.so" VERBATIM)
list(APPEND gpu_programs "${gpu_dir}/two-libraries")
# add_module(<output> <source>... FLAGS <flag>...): a code object by itself, without HIP's headers
function(add_module output)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" FLAGS)
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/gpu/" OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT "${gpu_dir}/${output}"
    COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -x hip --offload-arch=gfx90a -O1 -nogpuinc -nogpulib
            -mcode-object-version=4 --no-offload-new-driver --cuda-device-only --no-gpu-bundle-output
            -I "${CMAKE_CURRENT_SOURCE_DIR}/device" ${files} ${exact_runtime} -Xoffload-linker --build-id=sha1
            ${arg_FLAGS} -o "${gpu_dir}/${output}"
    DEPENDS ${files} gpu/units.h device/minimal_hip.h "${device_dir}/runtime4-exact.a" ${rdc_plugin} VERBATIM)
  set(gpu_programs ${gpu_programs} "${gpu_dir}/${output}" PARENT_SCOPE)
endfunction()

add_module(module.co module.hip FLAGS ${exact})
add_module(module-units.co units_first.hip units_second.hip FLAGS ${exact} ${rdc_flags})
if(llvm_major GREATER_EQUAL 23)
  # As the compiler counts by default: the first of eight blocks.
  add_module(module-sampled.co module.hip FLAGS -fprofile-instr-generate -fcoverage-mapping)
endif()

add_custom_command(OUTPUT "${gpu_dir}/raw-hsa"
  COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -std=c++17 -O1 -I "${HIP_INCLUDE_DIR}"
          "${CMAKE_CURRENT_SOURCE_DIR}/gpu/raw_hsa.cpp" -o "${gpu_dir}/raw-hsa" -Wl,--no-as-needed
          "${drain_library}" "-Wl,-rpath,${CMAKE_CURRENT_BINARY_DIR}" "${HSA_LIBRARY}"
          ${other_rocm}
  DEPENDS gpu/raw_hsa.cpp "${drain_library}" VERBATIM)
add_custom_command(OUTPUT "${gpu_dir}/other-tool.so"
  COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -std=c++17 -O1 -fPIC -shared -isystem "${HSA_INCLUDE_DIR}"
          "${CMAKE_CURRENT_SOURCE_DIR}/gpu/other_tool.cpp" -o "${gpu_dir}/other-tool.so"
  DEPENDS gpu/other_tool.cpp VERBATIM)
list(APPEND gpu_programs "${gpu_dir}/raw-hsa" "${gpu_dir}/other-tool.so")


# add_exit_order(<form> <flag>...): exit-order-<form>, linked behind the library that watches HIP and HSA
add_custom_command(OUTPUT "${gpu_dir}/libexit-observer.so"
  COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -std=c++17 -O1 -fPIC -shared -isystem "${HSA_INCLUDE_DIR}"
          "${CMAKE_CURRENT_SOURCE_DIR}/gpu/exit_observer.cpp" -o "${gpu_dir}/libexit-observer.so"
          -Wl,-soname,libexit-observer.so -ldl
  DEPENDS gpu/exit_observer.cpp VERBATIM)
function(add_exit_order form)
  set(program "${gpu_dir}/exit-order-${form}")
  add_custom_command(OUTPUT "${program}"
    COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -x hip --hip-link --offload-arch=gfx90a -mcode-object-version=4 -O1
            -nogpuinc -nogpulib -I "${CMAKE_CURRENT_SOURCE_DIR}/device" ${ARGN} ${device_side}
            "${CMAKE_CURRENT_SOURCE_DIR}/gpu/exit_order.hip" -o "${program}"
            -x none "${gpu_dir}/libexit-observer.so" "-Wl,-rpath,${gpu_dir}" ${with_drain}
    DEPENDS gpu/exit_order.hip device/minimal_hip.h "${gpu_dir}/libexit-observer.so" "${drain_library}"
            "${device_dir}/runtime4-exact.a" VERBATIM)
  set(gpu_programs ${gpu_programs} "${program}" PARENT_SCOPE)
endfunction()
add_exit_order(old-driver --no-offload-new-driver)
add_exit_order(old-driver-rdc --no-offload-new-driver ${rdc_flags})
add_exit_order(new-driver --offload-new-driver)
add_exit_order(new-driver-rdc --offload-new-driver ${rdc_flags})

if(DEVICE_COVERAGE_TEST_GPU_PROGRAMS)
  list(FILTER gpu_programs INCLUDE REGEX "/(${DEVICE_COVERAGE_TEST_GPU_PROGRAMS})$")
endif()
