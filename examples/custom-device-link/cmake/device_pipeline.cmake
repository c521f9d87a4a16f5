# A device pipeline by custom commands: device units to filtered assembly, one lld link for each target ID, a
# fat binary of all of them, and host objects that embed it.

# The compiler may be a wrapper in another folder than the tools: hipcc, or a link to ccache.
foreach(tool IN ITEMS ld.lld clang-offload-bundler)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" "-print-prog-name=${tool}"
    OUTPUT_VARIABLE ${tool} OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
separate_arguments(common_flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} -std=c++17 -O2 -x hip")
list(APPEND common_flags "-I${CMAKE_CURRENT_SOURCE_DIR}/include")
set(unit_filter "${CMAKE_CURRENT_LIST_DIR}/filter_device_unit.cmake")
file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/*.h" "${CMAKE_CURRENT_SOURCE_DIR}/include/*/*.h")

# Steps 1 and 2: a unit to assembly, filtered and assembled. Host and device compile of one unit must agree on
# its ID, hence `-cuid`; clang takes the full target ID.
function(add_device_object out_object target source keep_kernels)
  device_coverage_get_pipeline_options(coverage TARGET_ID ${target})
  get_filename_component(name "${source}" NAME_WE)
  get_filename_component(source "${source}" ABSOLUTE)
  string(MAKE_C_IDENTIFIER "${target}" suffix)
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${name}-${suffix}")
  add_custom_command(OUTPUT "${base}.o"
    COMMAND "${CMAKE_CXX_COMPILER}" ${common_flags} --offload-device-only "--offload-arch=${target}" -cuid=${name}
            ${coverage_DEVICE_COMPILE_OPTIONS} -S "${source}" -o "${base}.unfiltered.s"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${base}.unfiltered.s" "-DOUTPUT=${base}.s" -DKEEP_KERNELS=${keep_kernels}
            "-DCOVERAGE_FILTER=${DeviceCoverage_ASSEMBLY_FILTER}" -P "${unit_filter}"
    COMMAND "${CMAKE_CXX_COMPILER}" -x assembler -target amdgcn-amd-amdhsa "-mcpu=${target}"
            -c "${base}.s" -o "${base}.o"
    DEPENDS "${source}" ${headers} "${unit_filter}" COMMENT "Device unit ${name} for ${target}" VERBATIM)
  set(${out_object} "${base}.o" PARENT_SCOPE)
endfunction()

# Step 3: the device link of the dispatcher's unit and the others. lld takes the bare architecture.
function(add_device_image out_image target dispatcher)
  add_device_object(object ${target} "${dispatcher}" ON)
  set(objects "${object}")
  foreach(unit IN LISTS ARGN)
    add_device_object(object ${target} "${unit}" OFF)
    list(APPEND objects "${object}")
  endforeach()
  string(REGEX REPLACE ":.*" "" architecture "${target}")
  string(MAKE_C_IDENTIFIER "${target}" suffix)
  set(image "${CMAKE_CURRENT_BINARY_DIR}/device-${suffix}.elf")
  list(JOIN objects "\n" lines)
  file(WRITE "${image}.rsp.new" "${lines}\n")
  configure_file("${image}.rsp.new" "${image}.rsp" COPYONLY)
  device_coverage_get_pipeline_options(coverage TARGET_ID ${target})
  add_custom_command(OUTPUT "${image}"
    COMMAND "${ld.lld}" -shared -o "${image}" "@${image}.rsp" --plugin-opt=mcpu=${architecture}
            ${coverage_DEVICE_LLD_OPTIONS}
    DEPENDS ${objects} "${image}.rsp" ${coverage_DEPENDS} COMMENT "Device link for ${target}" VERBATIM)
  set(${out_image} "${image}" PARENT_SCOPE)
endfunction()

# Step 4: one fat binary of all images. Further arguments are the bundler's.
function(bundle_device_images out_file name targets images)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(entries "host-x86_64-unknown-linux-gnu-")
  foreach(target IN LISTS targets)
    string(APPEND entries ",hip-amdgcn-amd-amdhsa--${target}")
  endforeach()
  list(TRANSFORM images PREPEND "--input=" OUTPUT_VARIABLE inputs)
  add_custom_command(OUTPUT "${file}"
    COMMAND "${clang-offload-bundler}" --type=bc -bundle-align=4096 ${ARGN} "--targets=${entries}"
            --input=/dev/null ${inputs} "--output=${file}"
    DEPENDS ${images} COMMENT "Bundling ${name}" VERBATIM)
  set(${out_file} "${file}" PARENT_SCOPE)
endfunction()

# Steps 5 and 7: the dispatcher's host code, with the fat binary within (gpubinary), or as a symbol that an
# assembler file defines (incbin).
function(add_dispatcher_object out_objects variant embedding source fat_binary)
  list(GET GPU_TARGETS 0 target)
  device_coverage_get_pipeline_options(coverage TARGET_ID ${target})
  get_filename_component(name "${source}" NAME_WE)
  get_filename_component(source "${source}" ABSOLUTE)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}-${variant}.o")
  set(embed "")
  set(depends "${fat_binary}")
  set(objects "${object}")
  if(embedding STREQUAL "gpubinary")
    set(embed -cuid=${name} -Xclang -fcuda-include-gpubinary -Xclang "${fat_binary}")
  else()
    # Without a unit ID the symbol is plainly `__hip_fatbin`.
    set(embed -fuse-cuid=none)
    set(depends "")
    add_fat_binary_symbol(symbol "${fat_binary}")
    list(APPEND objects "${symbol}")
  endif()
  add_custom_command(OUTPUT "${object}"
    COMMAND "${CMAKE_CXX_COMPILER}" ${common_flags} --offload-host-only -fPIC ${embed} ${coverage_HOST_COMPILE_OPTIONS}
            -c "${source}" -o "${object}"
    DEPENDS "${source}" ${headers} ${depends} COMMENT "Host code of ${name} (${variant})" VERBATIM)
  set(${out_objects} ${objects} PARENT_SCOPE)
endfunction()

function(add_fat_binary_symbol out_object fat_binary)
  set(assembly "${CMAKE_CURRENT_BINARY_DIR}/fat_binary.s")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/fat_binary.s.in" "${assembly}" @ONLY)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/fat_binary.o")
  add_custom_command(OUTPUT "${object}" COMMAND "${CMAKE_CXX_COMPILER}" -c "${assembly}" -o "${object}"
    DEPENDS "${assembly}" "${fat_binary}" COMMENT "Embedding device.fatbin by .incbin" VERBATIM)
  set(${out_object} "${object}" PARENT_SCOPE)
endfunction()

# Step 6: mixed units, as ordinary fat objects.
function(add_fat_objects out_objects variant)
  list(GET GPU_TARGETS 0 target)
  device_coverage_get_pipeline_options(coverage TARGET_ID ${target})
  list(TRANSFORM GPU_TARGETS PREPEND "--offload-arch=" OUTPUT_VARIABLE architectures)
  set(objects "")
  foreach(source IN LISTS ARGN)
    get_filename_component(name "${source}" NAME_WE)
    get_filename_component(source "${source}" ABSOLUTE)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}-${variant}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${CMAKE_CXX_COMPILER}" ${common_flags} ${architectures} -fPIC ${coverage_FAT_COMPILE_OPTIONS}
              -c "${source}" -o "${object}"
      DEPENDS "${source}" ${headers} ${coverage_DEPENDS} COMMENT "Fat object ${name} (${variant})" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(${out_objects} ${objects} PARENT_SCOPE)
endfunction()

# Step 7: the host link.
function(link_library out_library name)
  list(GET GPU_TARGETS 0 target)
  device_coverage_get_pipeline_options(coverage TARGET_ID ${target})
  set(library "${CMAKE_CURRENT_BINARY_DIR}/lib${name}.so")
  add_custom_command(OUTPUT "${library}"
    COMMAND "${CMAKE_CXX_COMPILER}" -shared ${ARGN} $<TARGET_FILE:hip::amdhip64> ${coverage_HOST_LINK_OPTIONS}
            -Wl,-soname,lib${name}.so -o "${library}"
    DEPENDS ${ARGN} ${coverage_DEPENDS} COMMENT "Linking lib${name}.so" VERBATIM)
  set(${out_library} "${library}" PARENT_SCOPE)
endfunction()
