# Device ELFs for the tests, linked with the device runtime as consumers link it. Sets device_dir, the flags
# `exact` and, for relocatable device code, `rdc_flags` and `rdc_plugin`.

set(device_dir "${CMAKE_CURRENT_BINARY_DIR}/device")
file(MAKE_DIRECTORY "${device_dir}")
set(fixtures "")

# add_device_runtime(<name> <code-object version> <counter bytes> <form>): <device_dir>/<name>.a
function(add_device_runtime name version bytes form)
  set(object "${device_dir}/${name}.o")
  add_custom_command(OUTPUT "${device_dir}/${name}.a"
    COMMAND "${clang}" --target=amdgcn-amd-amdhsa -nogpulib -ffreestanding -O2 -Wall -Wextra -Werror
            -mcode-object-version=${version} -DDEVICE_COVERAGE_COUNTER_BYTES=${bytes} ${form}
            -I "${runtime}/include" -c "${runtime}/device/device_runtime.c" -o "${object}"
    COMMAND "${CMAKE_COMMAND}" -E rm -f "${device_dir}/${name}.a"
    COMMAND "${llvm-ar}" rcs "${device_dir}/${name}.a" "${object}"
    DEPENDS "${runtime}/device/device_runtime.c" "${runtime}/include/device_coverage/device_note.h" VERBATIM)
  set(fixtures ${fixtures} "${device_dir}/${name}.a" PARENT_SCOPE)
endfunction()

# add_device_elf(<name> <source> <target ID> <runtime> [<flag>...]): <device_dir>/<name>.co
function(add_device_elf name source target archive)
  set(elf "${device_dir}/${name}.co")
  set(build_id sha1)
  if(name STREQUAL "no-build-id")
    set(build_id none)
  endif()
  add_custom_command(OUTPUT "${elf}"
    COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -x hip --offload-arch=${target} -O1 -nogpuinc -nogpulib
            -mcode-object-version=4 --cuda-device-only --no-gpu-bundle-output ${ARGN}
            "${CMAKE_CURRENT_SOURCE_DIR}/device/${source}" -o "${elf}"
            -Xoffload-linker "${device_dir}/${archive}.a" -Xoffload-linker --build-id=${build_id}
    DEPENDS "device/${source}" device/minimal_hip.h "${device_dir}/${archive}.a" VERBATIM)
  set(fixtures ${fixtures} "${elf}" PARENT_SCOPE)
endfunction()

add_device_runtime(runtime4-exact 4 8 -emit-llvm)
add_device_runtime(runtime5-exact 5 8 -emit-llvm)
add_device_runtime(runtime6-exact 6 8 -emit-llvm)
add_device_runtime(runtime4-covered 4 1 -emit-llvm)
add_device_runtime(runtime4-exact-gfx90a 4 8 -mcpu=gfx90a)

set(exact_on_device -Xarch_device -fprofile-update=atomic)
if(llvm_major GREATER_EQUAL 23)
  list(APPEND exact_on_device -Xarch_device -mllvm=-offload-pgo-sampling=0)
endif()
set(exact -fprofile-instr-generate -fcoverage-mapping ${exact_on_device})

# With LLVM 22 several units of relocatable code need the package's pass plugin.
set(rdc_flags -fgpu-rdc)
set(rdc_plugin "")
if(llvm_major LESS 23)
  get_filename_component(llvm_includes "${llvm_bin_dir}/../include" ABSOLUTE)
  set(rdc_plugin "${device_dir}/rdc_names.so")
  list(APPEND rdc_flags -Xarch_device "-fpass-plugin=${rdc_plugin}")
  set(plugin_source "${runtime}/../cmake/DeviceCoverage/plugin/rdc_names.cpp")
  add_custom_command(OUTPUT "${rdc_plugin}"
    COMMAND "${DEVICE_COVERAGE_TEST_CLANG}" -std=c++17 -O1 -fPIC -fno-rtti -shared -isystem "${llvm_includes}"
            "${plugin_source}" -o "${rdc_plugin}"
    DEPENDS "${plugin_source}" VERBATIM)
  list(APPEND fixtures "${rdc_plugin}")
endif()

add_device_elf(plain plain.hip gfx90a runtime4-exact)
add_device_elf(exact counted.hip gfx90a runtime4-exact ${exact})
add_device_elf(no-build-id counted.hip gfx90a runtime4-exact ${exact})
add_device_elf(other other.hip gfx90a runtime4-exact ${exact})
add_device_elf(xnack counted.hip gfx90a:xnack+ runtime4-exact ${exact})
add_device_elf(gfx908 counted.hip gfx908 runtime4-exact ${exact})
add_device_elf(mcdc counted.hip gfx90a runtime4-exact ${exact} -fcoverage-mcdc)
add_device_elf(covered counted.hip gfx90a runtime4-covered -fprofile-instr-generate -fcoverage-mapping
  -Xclang -mllvm -Xclang -enable-single-byte-coverage=true)

add_custom_target(drain-device-fixtures DEPENDS ${fixtures})
