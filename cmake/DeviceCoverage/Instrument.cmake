# Coverage of ordinary targets.

# HOST, DEVICE or BOTH: what is wanted, as far as the decision allows it; empty when nothing is left.
function(_device_coverage_effective_sides outSides hostOnly deviceOnly)
  _device_coverage_get(device ENABLED)
  _device_coverage_get(host HOST_ENABLED)
  set(sides "")
  if(hostOnly OR NOT device)
    if(host AND NOT deviceOnly)
      set(sides HOST)
    endif()
  elseif(deviceOnly)
    set(sides DEVICE)
  else()
    set(sides BOTH)
  endif()
  set(${outSides} "${sides}" PARENT_SCOPE)
endfunction()

# EXACT or COVERED, from the call or from DEVICE_COVERAGE_COUNTERS.
function(_device_coverage_effective_counters outCounters given)
  set(counters EXACT)
  if(NOT given STREQUAL "")
    set(counters "${given}")
  elseif(DEVICE_COVERAGE_COUNTERS)
    set(counters "${DEVICE_COVERAGE_COUNTERS}")
  endif()
  string(TOUPPER "${counters}" kind)
  if(NOT kind MATCHES "^(EXACT|COVERED)$")
    _device_coverage_message(FATAL_ERROR "instrument" "the kind of counters is `${counters}`"
      "device code cannot be instrumented" "use EXACT or COVERED")
  endif()
  _device_coverage_prove_counters(kind ${kind})
  set(${outCounters} ${kind} PARENT_SCOPE)
endfunction()

# The target behind an alias.
function(_device_coverage_real_target outTarget name)
  get_target_property(aliased "${name}" ALIASED_TARGET)
  if(aliased)
    set(name ${aliased})
  endif()
  set(${outTarget} "${name}" PARENT_SCOPE)
endfunction()

# The same, or a clear error where there is nothing to instrument.
function(_device_coverage_resolve_target outTarget caller name)
  if(NOT TARGET "${name}")
    _device_coverage_message(FATAL_ERROR "instrument" "${caller} was given `${name}`, which is not a target"
      "nothing can be instrumented" "call it after add_library or add_executable")
  endif()
  _device_coverage_real_target(name "${name}")
  get_target_property(imported ${name} IMPORTED)
  get_target_property(type ${name} TYPE)
  set(empty "^(INTERFACE_LIBRARY|UTILITY)$")
  if(caller STREQUAL "device_coverage_instrument")
    set(empty "^UTILITY$")
  endif()
  if(imported OR type MATCHES "${empty}")
    string(TOLOWER "${type}" kind)
    if(imported)
      set(kind "imported target")
    endif()
    _device_coverage_message(FATAL_ERROR "instrument" "`${name}` is an ${kind} and compiles nothing"
      "it cannot be instrumented" "name the targets whose sources are compiled in this build")
  endif()
  set(${outTarget} ${name} PARENT_SCOPE)
endfunction()

# The plugin of relocatable device code. Without one such a target would not link, or lose most of its coverage:
# with ON that is an error, with AUTO its device code stays as it is. outSides: what remains, maybe nothing.
function(_device_coverage_target_plugin outPlugin outSides target text sides)
  set(${outPlugin} "" PARENT_SCOPE)
  if(NOT text MATCHES "-fgpu-rdc" OR sides STREQUAL "HOST")
    return()
  endif()
  _device_coverage_require_rdc_plugin(plugin error)
  if(error STREQUAL "")
    set(${outPlugin} "${plugin}" PARENT_SCOPE)
    return()
  endif()
  _device_coverage_give_up_device_code(sides ${sides} "`${target}` is compiled with -fgpu-rdc and ${error}"
    "only one of its sources would be measured"
    "install the development headers of the compiler's LLVM or instrument it HOST_ONLY")
  set(${outSides} "${sides}" PARENT_SCOPE)
endfunction()

# Before LLVM 23 the intermediate files of -save-temps are the way to the object, by assembly, in which the compiler
# writes of coverage maps what the assembler refuses. Relocatable device code goes by bitcode.
function(_device_coverage_refuse_kept_assembly outSides target text sides)
  _device_coverage_get(version LLVM_VERSION)
  if(text MATCHES "-save-temps" AND NOT text MATCHES "-fgpu-rdc" AND NOT sides MATCHES "^(HOST|)$"
     AND version VERSION_LESS 23)
    _device_coverage_give_up_device_code(sides ${sides} "`${target}` is compiled with -save-temps"
      "its device code would not assemble with its coverage map" "remove -save-temps or instrument it HOST_ONLY")
  endif()
  set(${outSides} "${sides}" PARENT_SCOPE)
endfunction()

# Device code of one target that cannot be measured: an error with ON, and with AUTO it stays as it is. outSides: what
# remains, maybe nothing.
function(_device_coverage_give_up_device_code outSides sides fact consequence remedy)
  _device_coverage_get(request REQUEST)
  if(request STREQUAL "ON")
    _device_coverage_message(FATAL_ERROR "instrument" "${fact}" "${consequence}" "${remedy}")
  endif()
  _device_coverage_message(STATUS "instrument" "${fact}" "its device code is not measured" "${remedy}")
  set(${outSides} "" PARENT_SCOPE)
  if(sides STREQUAL "BOTH")
    set(${outSides} HOST PARENT_SCOPE)
  endif()
endfunction()

# Sources that are left out: their own options come after those of the target. Options of sources know no
# SHELL: groups, and none are needed, since CMake does not de-duplicate them.
function(_device_coverage_exclude_sources target sources)
  _device_coverage_end_options(options BOTH)
  foreach(source IN LISTS sources)
    set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS
      --start-no-unused-arguments ${options} --end-no-unused-arguments)
  endforeach()
endfunction()

# A source that is misspelt, or of another target, would be measured in silence. Runs when all sources are known; those
# that only generation knows may be any.
function(_device_coverage_check_excluded targets excluded)
  set(known "")
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    get_target_property(directory ${target} SOURCE_DIR)
    if(sources MATCHES "\\$<")
      return()
    endif()
    foreach(source IN LISTS sources)
      get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${directory}")
      list(APPEND known "${source}")
    endforeach()
  endforeach()
  foreach(source IN LISTS excluded)
    if(NOT source IN_LIST known)
      list(JOIN targets "`, `" targets)
      _device_coverage_message(FATAL_ERROR "instrument" "EXCLUDE_SOURCES of `${targets}` names `${source}`"
        "it is no source of theirs and nothing would be excluded" "name it as in add_library or add_executable")
    endif()
  endforeach()
endfunction()

# The options of a target for its own sources. An interface library has none: they are for the sources, within
# this build, of whoever links it.
function(_device_coverage_add_compile_options target options)
  _device_coverage_compiler_condition(condition COMPILE)
  set(options "$<${condition}:${options}>")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_COMPILE_OPTIONS "$<BUILD_INTERFACE:${options}>")
  else()
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "${options}")
  endif()
endfunction()

# Sets the options of one target. Runs at the end of the whole project, when all options are known.
function(_device_coverage_finish_target target)
  get_target_property(sides ${target} DEVICE_COVERAGE_SIDES)
  get_target_property(counters ${target} DEVICE_COVERAGE_COUNTERS)
  get_target_property(type ${target} TYPE)
  get_target_property(directory ${target} SOURCE_DIR)
  # Set as a variable of that directory, maybe, which this one is not.
  get_directory_property(DEVICE_COVERAGE_DEBUG_INFO DIRECTORY "${directory}" DEFINITION DEVICE_COVERAGE_DEBUG_INFO)
  set(archive "")
  _device_coverage_join_languages("${directory}")
  _device_coverage_option_text(text ${target})
  _device_coverage_target_plugin(plugin sides ${target} "${text}" ${sides})
  _device_coverage_refuse_kept_assembly(sides ${target} "${text}" "${sides}")
  if(sides STREQUAL "")
    return()
  endif()
  _device_coverage_end_own_flags(ended ${target} ${sides} "${text}")
  if(NOT sides STREQUAL "HOST")
    _device_coverage_code_object_version(version "${text}")
    _device_coverage_require_archive(archive archiveTarget "${version}" "" ${counters})
    add_dependencies(${target} ${archiveTarget})
  endif()
  _device_coverage_options(compile link ${sides} ${counters} "${archive}" "${plugin}")
  _device_coverage_option_group(compile ${compile} ${ended})
  _device_coverage_option_group(link ${link})
  _device_coverage_add_compile_options(${target} "${compile}")
  _device_coverage_link_runtime(${target} ${sides} "${link}")
  if(type STREQUAL "OBJECT_LIBRARY")
    _device_coverage_note_objects(${target} ${sides} "${link}")
  endif()
endfunction()

# Notes what is wanted of a target and has it done at the end of the project.
function(_device_coverage_claim_target target sides counters)
  get_target_property(known ${target} DEVICE_COVERAGE_SIDES)
  get_target_property(knownCounters ${target} DEVICE_COVERAGE_COUNTERS)
  if(known STREQUAL sides AND knownCounters STREQUAL counters)
    return()
  elseif(known)
    _device_coverage_message(FATAL_ERROR "instrument"
      "`${target}` is instrumented for ${known} with ${knownCounters} counters already and now asked for ${sides} \
with ${counters} counters"
      "its flags would contradict each other" "call device_coverage_instrument once for each target")
  endif()
  set_target_properties(${target} PROPERTIES DEVICE_COVERAGE_SIDES ${sides} DEVICE_COVERAGE_COUNTERS ${counters})
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
    CALL _device_coverage_finish_target [==[${target}]==])")
endfunction()

#[[
device_coverage_instrument(<target>... [HOST_ONLY | DEVICE_ONLY] [COUNTERS EXACT | COVERED]
                           [EXCLUDE_SOURCES <source>...])

Compiles the sources of the targets with coverage of host and device code, links the device runtime into
their device images and the profile runtime and DeviceCoverage::runtime into the executables and shared
libraries, be these the targets themselves or whoever links them (static and object libraries).

<target>     executables, or static, shared, module, object or interface libraries of this build; the flags of an
             interface library (kernels in headers) are those of whoever links it in this build
HOST_ONLY    device code stays as it is
DEVICE_ONLY  host code stays as it is
COUNTERS     EXACT counts how often each region ran; COVERED only whether it ran, which costs less (device
             side only; host counters are exact always). Default: DEVICE_COVERAGE_COUNTERS, or EXACT

EXCLUDE_SOURCES  sources that are compiled without coverage, named as for set_source_files_properties(); as that
             is a property of the source, it holds for all targets of the directory

The options are added when all directories have been read, so the target's own options may be set after the
call. Does nothing when coverage is off; instruments host code alone when DeviceCoverage_ENABLED is false and
DeviceCoverage_HOST_ENABLED true. Fails for names that are no targets, for targets that compile nothing, when
a target is instrumented twice in different ways, for excluded sources that are none of the targets'. Relocatable device code (-fgpu-rdc) under LLVM 22 takes the
headers of that LLVM: where they are not installed, ON fails and AUTO leaves the device code of the target as it is.
]]
function(device_coverage_instrument)
  cmake_parse_arguments(PARSE_ARGV 0 arg "HOST_ONLY;DEVICE_ONLY" "COUNTERS" "EXCLUDE_SOURCES")
  if(arg_HOST_ONLY AND arg_DEVICE_ONLY)
    _device_coverage_message(FATAL_ERROR "instrument"
      "device_coverage_instrument was given HOST_ONLY and DEVICE_ONLY" "nothing is left to instrument"
      "give one of them, or neither for both sides")
  endif()
  _device_coverage_effective_sides(sides "${arg_HOST_ONLY}" "${arg_DEVICE_ONLY}")
  if(sides STREQUAL "")
    return()
  endif()
  _device_coverage_effective_counters(counters "${arg_COUNTERS}")
  set(targets "")
  foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
    _device_coverage_resolve_target(target device_coverage_instrument "${name}")
    _device_coverage_claim_target(${target} ${sides} ${counters})
    _device_coverage_exclude_sources(${target} "${arg_EXCLUDE_SOURCES}")
    list(APPEND targets ${target})
  endforeach()
  set(excluded "")
  foreach(source IN LISTS arg_EXCLUDE_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND excluded "${source}")
  endforeach()
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
    CALL _device_coverage_check_excluded [==[${targets}]==] [==[${excluded}]==])")
endfunction()
