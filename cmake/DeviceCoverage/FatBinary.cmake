# Device code for projects that load it themselves and have no pipeline yet: sources to a device ELF for each
# target ID, these to one fat binary, and that to an object with a symbol.

# A tool of the compiler's own installation. Coverage may be off, so the probe's findings may not be there.
function(_device_coverage_compiler_tool outPath compiler tool)
  execute_process(COMMAND "${compiler}" "-print-prog-name=${tool}"
    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT IS_ABSOLUTE "${path}")
    _device_coverage_message(FATAL_ERROR "fat binary" "the compiler `${compiler}` names no ${tool} of its own"
      "fat binaries cannot be built" "compile with a clang that is installed with its offload tools")
  endif()
  set(${outPath} "${path}" PARENT_SCOPE)
endfunction()

# One source for one target ID, as relocatable bitcode. Not named `.bc`: clang compiles that before it links, and
# nothing is inlined across sources. Its driver writes no dependencies for device code, its compiler does.
function(_device_coverage_add_device_unit outObject name target compiler source)
  _device_coverage_get_language_flags(flags)
  device_coverage_get_pipeline_options(coverage TARGET_ID ${target} LTO)
  get_filename_component(base "${source}" NAME)
  get_filename_component(source "${source}" ABSOLUTE)
  string(MAKE_C_IDENTIFIER "${target}" suffix)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}-${suffix}/${base}.o")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${name}-${suffix}")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${compiler}" ${flags} ${ARGN} -x hip --offload-device-only "--offload-arch=${target}" -fgpu-rdc
            -emit-llvm --no-gpu-bundle-output ${coverage_DEVICE_COMPILE_OPTIONS}
            -Xclang -dependency-file -Xclang "${object}.d" -Xclang -MT -Xclang "${object}" -c "${source}" -o "${object}"
    DEPENDS "${source}" DEPFILE "${object}.d" COMMENT "Device code ${base} for ${target}" VERBATIM)
  set(${outObject} "${object}" PARENT_SCOPE)
endfunction()

# The language that compiles device code: HIP where enabled (toolchain files may set its variables without), else CXX.
function(_device_coverage_device_language outLanguage)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(${outLanguage} CXX PARENT_SCOPE)
  if("HIP" IN_LIST enabled)
    set(${outLanguage} HIP PARENT_SCOPE)
  endif()
endfunction()

# Its flags, as in ordinary targets.
function(_device_coverage_get_language_flags outFlags)
  _device_coverage_device_language(language)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${config}}")
  set(${outFlags} "${flags}" PARENT_SCOPE)
endfunction()

# The device link of all sources for one target ID, by clang itself: what a wrapper such as hipcc adds to a link is for
# host programs. It inlines as HIP's own device links do: a kernel that calls is
# given all hidden arguments, a device queue among them, which HIP 5.2 cannot launch.
function(_device_coverage_add_device_elf outElf name target compiler clang sources options)
  set(objects "")
  foreach(source IN LISTS sources)
    _device_coverage_add_device_unit(object ${name} ${target} "${compiler}" "${source}" ${options})
    list(APPEND objects "${object}")
  endforeach()
  device_coverage_get_pipeline_options(coverage TARGET_ID ${target} LTO)
  string(MAKE_C_IDENTIFIER "${target}" suffix)
  set(elf "${CMAKE_CURRENT_BINARY_DIR}/${name}-${suffix}.elf")
  set(lto O3 -amdgpu-internalize-symbols -amdgpu-early-inline-all=true -amdgpu-function-calls=false)
  list(TRANSFORM lto PREPEND "-Wl,--plugin-opt=")
  add_custom_command(OUTPUT "${elf}"
    COMMAND "${clang}" --target=amdgcn-amd-amdhsa "-mcpu=${target}" ${objects} ${lto}
            --start-no-unused-arguments -nogpulib --end-no-unused-arguments ${coverage_DEVICE_LINK_OPTIONS} -o "${elf}"
    DEPENDS ${objects} ${coverage_DEPENDS} COMMENT "Linking ${name} for ${target}" VERBATIM)
  set(${outElf} "${elf}" PARENT_SCOPE)
endfunction()

# The library <name>, whose users get a file's content as the symbol <name>.
function(_device_coverage_embed_file name clang bundle)
  set(assembly "${CMAKE_CURRENT_BINARY_DIR}/${name}.s")
  file(CONFIGURE OUTPUT "${assembly}" @ONLY CONTENT [[
	.section .rodata.@name@,"a",@progbits
	.p2align 12
	.globl @name@
	.hidden @name@
@name@:
	.incbin "@bundle@"
	.section .note.GNU-stack,"",@progbits
]])
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  add_custom_command(OUTPUT "${object}" COMMAND "${clang}" -c "${assembly}" -o "${object}"
    DEPENDS "${assembly}" "${bundle}" COMMENT "Embedding ${name}.fatbin" VERBATIM)
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_library(${name} INTERFACE)
  target_sources(${name} INTERFACE "${object}")
endfunction()

function(_device_coverage_check_fat_binary name unknown sources targets)
  if(NOT unknown STREQUAL "" OR sources STREQUAL "" OR targets STREQUAL "")
    _device_coverage_message(FATAL_ERROR "fat binary"
      "device_coverage_add_fat_binary(${name}) was given SOURCES `${sources}`, TARGET_IDS `${targets}` and `${unknown}`"
      "it cannot be built" "give it at least one source, one target ID and no unknown argument")
  endif()
endfunction()

#[[
device_coverage_add_fat_binary(<name> SOURCES <source>... TARGET_IDS <id>... [COMPILE_OPTIONS <option>...]
                               [COMPRESS])

Builds HIP sources to one device ELF for each target ID, <name>-<id>.elf, one fat binary of these, <name>.fatbin,
and the library <name>: targets of this directory that link it have the symbol `const unsigned char <name>[]` (C
linkage, hidden, aligned to 4096 bytes), to be given to hipModuleLoadData. The files are in the current binary
folder. Sources may call each other's device functions.

SOURCES          HIP sources; what is host code in them is not compiled
TARGET_IDS       as in --offload-arch: gfx90a, gfx90a:xnack+
COMPILE_OPTIONS  plain options, after the language's own flags
COMPRESS         compresses the fat binary, which HIP before 6.2 does not load

Works alike without coverage. With it, several sources take the development headers of LLVM 22 or the link fails.
The ELFs count in every report; the program needs the drain: link DeviceCoverage::runtime, or instrument it.
]]
function(device_coverage_add_fat_binary name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COMPRESS" "" "SOURCES;TARGET_IDS;COMPILE_OPTIONS")
  _device_coverage_check_fat_binary(${name} "${arg_UNPARSED_ARGUMENTS}" "${arg_SOURCES}" "${arg_TARGET_IDS}")
  _device_coverage_device_language(language)
  set(compiler "${CMAKE_${language}_COMPILER}")
  _device_coverage_compiler_tool(clang "${compiler}" clang++)
  _device_coverage_compiler_tool(bundler "${compiler}" clang-offload-bundler)
  set(bundle "${CMAKE_CURRENT_BINARY_DIR}/${name}.fatbin")
  set(targets "host-x86_64-unknown-linux-gnu-")
  set(elves "")
  foreach(target IN LISTS arg_TARGET_IDS)
    _device_coverage_add_device_elf(elf ${name} ${target} "${compiler}" "${clang}" "${arg_SOURCES}"
      "${arg_COMPILE_OPTIONS}")
    list(APPEND elves "${elf}")
    string(APPEND targets ",hipv4-amdgcn-amd-amdhsa--${target}")
  endforeach()
  list(TRANSFORM elves PREPEND "--input=" OUTPUT_VARIABLE inputs)
  set(compress "")
  if(arg_COMPRESS)
    set(compress --compress)
  endif()
  add_custom_command(OUTPUT "${bundle}"
    COMMAND "${bundler}" --type=o -bundle-align=4096 ${compress} "--targets=${targets}" --input=/dev/null ${inputs}
            "--output=${bundle}"
    DEPENDS ${elves} COMMENT "Bundling ${name}.fatbin" VERBATIM)
  _device_coverage_embed_file(${name} "${clang}" "${bundle}")
  device_coverage_add_code_object(${elves})
endfunction()
