# Device code that is compiled and linked by custom commands.

# The device runtime as plain lld takes it: an ELF archive of the bare architecture, which fits all its target
# IDs, or with `lto` bitcode, which LTO must be told the architecture for.
function(_device_coverage_lld_options outOptions outArchive outTarget version architecture counters lto)
  if(lto)
    _device_coverage_require_archive(archive target "${version}" "" ${counters})
    set(options "${archive}" "--plugin-opt=mcpu=${architecture}" --build-id=sha1)
  else()
    _device_coverage_require_archive(archive target "${version}" "${architecture}" ${counters})
    set(options "${archive}" --build-id=sha1)
  endif()
  set(${outOptions} "${options}" PARENT_SCOPE)
  set(${outArchive} "${archive}" PARENT_SCOPE)
  set(${outTarget} "${target}" PARENT_SCOPE)
endfunction()

# What clang is told when it compiles device code alone, where `-Xarch_` has no other side to tell from.
function(_device_coverage_device_only_options outOptions counters)
  _device_coverage_exact_option(counting)
  if(counters STREQUAL "COVERED")
    set(counting -Xclang -mllvm -Xclang -enable-single-byte-coverage=true)
  endif()
  _device_coverage_debug_options(debug)
  set(options -fprofile-instr-generate -fcoverage-mapping ${counting} ${debug})
  # A pipeline links several units into one image. Without the plugin that works for assembly that was filtered,
  # and any other link fails loudly on `__llvm_prf_nm`.
  _device_coverage_require_rdc_plugin(plugin error)
  if(error STREQUAL "" AND NOT plugin STREQUAL "")
    list(APPEND options "-fpass-plugin=${plugin}")
  endif()
  set(${outOptions} "${options}" PARENT_SCOPE)
endfunction()

# An option that is misspelt would leave the pipeline with what was not meant.
function(_device_coverage_refuse_arguments unknown)
  if(NOT unknown STREQUAL "")
    _device_coverage_message(FATAL_ERROR "device link" "device_coverage_get_pipeline_options does not know `${unknown}`"
      "its options would not be what was meant" "see its reference page")
  endif()
endfunction()

# Checks the target ID and stores its parts and the rest of what the lists depend on.
function(_device_coverage_pipeline_inputs outArchitecture outVersion targetId version)
  _device_coverage_get(form TARGET_ID_FORM)
  if(NOT targetId MATCHES "${form}")
    _device_coverage_message(FATAL_ERROR "device link" "TARGET_ID is `${targetId}`, which is no target ID"
      "there is no device runtime for it" "give one as `gfx90a` or `gfx90a:xnack+`")
  endif()
  set(${outArchitecture} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  if(version STREQUAL "")
    _device_coverage_get(version CODE_OBJECT_VERSION)
  endif()
  set(${outVersion} "${version}" PARENT_SCOPE)
endfunction()

#[[
device_coverage_get_pipeline_options(<prefix> TARGET_ID <id> [CODE_OBJECT_VERSION <version>]
                                     [COUNTERS EXACT | COVERED] [LTO])

Gives a hand-written device pipeline its options for one target ID, as plain lists: no generator expressions,
no SHELL: groups, absolute paths. Sets in the caller's scope

<prefix>_DEVICE_COMPILE_OPTIONS  for clang -x hip --offload-device-only
<prefix>_DEVICE_LLD_OPTIONS      for ld.lld -shared over device objects (with LTO: over bitcode)
<prefix>_DEVICE_LINK_OPTIONS     for clang --target=amdgcn-amd-amdhsa -mcpu=<id> -shared
<prefix>_FAT_COMPILE_OPTIONS     for clang -x hip -c, whose objects have a device link of their own
<prefix>_HSACO_OPTIONS           for clang -x hip --offload-device-only -c, which links a code object
<prefix>_HOST_COMPILE_OPTIONS    for clang -x hip --offload-host-only and plain C++
<prefix>_HOST_LINK_OPTIONS       for the link of the library or program
<prefix>_DEPENDS                 files and targets for the DEPENDS of all these commands

TARGET_ID            as in --offload-arch: gfx90a, gfx90a:xnack+
CODE_OBJECT_VERSION  4, 5 or 6, where the pipeline sets it; else that of the project's flags
COUNTERS             see device_coverage_instrument
LTO                  lld is given bitcode

DEVICE_COMPILE, FAT_COMPILE and HSACO stand behind the pipeline's own options, of which the last debug option counts
(DEVICE_COVERAGE_DEBUG_INFO).
The lists are empty when coverage is off; host options alone remain when only host code is measured, and those of
fat objects beside them for a target ID that the probe left out (DEVICE_COVERAGE_PARTIAL). Compile
and link options belong together: an object compiled with the former does not link without the latter. Fails
for what is not a target ID.
]]
function(device_coverage_get_pipeline_options prefix)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LTO" "TARGET_ID;CODE_OBJECT_VERSION;COUNTERS" "")
  foreach(list IN ITEMS DEVICE_COMPILE DEVICE_LLD DEVICE_LINK FAT_COMPILE HSACO HOST_COMPILE HOST_LINK)
    set(${list} "")
  endforeach()
  set(depends "")
  _device_coverage_get(host HOST_ENABLED)
  _device_coverage_get(device ENABLED)
  if(host)
    _device_coverage_options(FAT_COMPILE HOST_LINK HOST EXACT "" "")
    set(HOST_COMPILE -fprofile-instr-generate -fcoverage-mapping)
    _device_coverage_get(registration REGISTRATION_OBJECT)
    list(APPEND HOST_LINK ${registration})
    set(depends ${registration})
  endif()
  if(device)
    _device_coverage_refuse_arguments("${arg_UNPARSED_ARGUMENTS}")
    _device_coverage_pipeline_inputs(architecture version "${arg_TARGET_ID}" "${arg_CODE_OBJECT_VERSION}")
    _device_coverage_effective_counters(counters "${arg_COUNTERS}")
    _device_coverage_require_archive(fatArchive fatTarget "${version}" "" ${counters})
    _device_coverage_options(FAT_COMPILE unused BOTH ${counters} "${fatArchive}" "")
    _device_coverage_device_only_options(DEVICE_COMPILE ${counters})
    _device_coverage_lld_options(DEVICE_LLD archive target "${version}" "${architecture}" ${counters} "${arg_LTO}")
    _device_coverage_image_options(image "${fatArchive}")
    set(HSACO ${DEVICE_COMPILE} ${image})
    list(TRANSFORM DEVICE_LLD REPLACE "^--" "-Wl,--" OUTPUT_VARIABLE DEVICE_LINK)
    list(APPEND depends "${fatArchive}" ${fatTarget} "${archive}" ${target})
    _device_coverage_get(library DRAIN_LIBRARY)
    if(NOT library STREQUAL "")
      # CMake gives its own targets a run path to what they link; custom commands get it here.
      get_filename_component(libraryDir "${library}" DIRECTORY)
      list(APPEND HOST_LINK -Wl,--push-state,--no-as-needed "${library}" -Wl,--pop-state "-Wl,-rpath,${libraryDir}")
      list(APPEND depends "${library}" device-coverage-drain)
    endif()
    list(REMOVE_DUPLICATES depends)
    _device_coverage_is_left_out(leftOut "${arg_TARGET_ID}")
    if(leftOut)
      foreach(list IN ITEMS DEVICE_COMPILE DEVICE_LLD DEVICE_LINK HSACO)
        set(${list} "")
      endforeach()
    endif()
  endif()
  foreach(list IN ITEMS DEVICE_COMPILE DEVICE_LLD DEVICE_LINK FAT_COMPILE HSACO HOST_COMPILE HOST_LINK)
    set(${prefix}_${list}_OPTIONS "${${list}}" PARENT_SCOPE)
  endforeach()
  set(${prefix}_DEPENDS "${depends}" PARENT_SCOPE)
endfunction()
