# Coverage flags on ordinary targets.

# The compile and link options of one kind of instrumentation, from one place, so that no object is
# instrumented without its runtime.
#
# Pairs of `-Xarch_` and `-Xoffload-linker` with their argument stand in one SHELL: group, or CMake would
# de-duplicate the first halves. Between --start- and --end-no-unused-arguments, because a target may have
# plain C++ sources beside its device code, and projects compile with -Werror.
function(_device_coverage_options outCompile outLink sides archive)
  set(host -fprofile-instr-generate -fcoverage-mapping)
  set(linkRuntime "-Xoffload-linker \"${archive}\" -Xoffload-linker --build-id=sha1")
  set(exact "-Xarch_device -fprofile-update=atomic")
  if(sides STREQUAL "HOST")
    set(compile "SHELL:-Xarch_host -fprofile-instr-generate -Xarch_host -fcoverage-mapping")
    set(link -fprofile-instr-generate)
  elseif(sides STREQUAL "DEVICE")
    set(device "-Xarch_device -fprofile-instr-generate -Xarch_device -fcoverage-mapping ${exact}")
    set(compile "SHELL:--start-no-unused-arguments ${device} ${linkRuntime} --end-no-unused-arguments")
    set(link "SHELL:--start-no-unused-arguments ${linkRuntime} --end-no-unused-arguments")
  else()
    set(compile ${host} "SHELL:--start-no-unused-arguments ${exact} ${linkRuntime} --end-no-unused-arguments")
    set(link -fprofile-instr-generate
      "SHELL:--start-no-unused-arguments ${linkRuntime} --end-no-unused-arguments")
  endif()
  set(${outCompile} "${compile}" PARENT_SCOPE)
  set(${outLink} "${link}" PARENT_SCOPE)
endfunction()

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

# The target behind an alias, or a clear error where there is nothing to instrument.
function(_device_coverage_resolve_target outTarget caller name)
  if(NOT TARGET "${name}")
    _device_coverage_message(FATAL_ERROR "instrument" "${caller} was given `${name}`, which is not a target"
      "nothing can be instrumented" "call it after add_library or add_executable")
  endif()
  get_target_property(aliased ${name} ALIASED_TARGET)
  if(aliased)
    set(name ${aliased})
  endif()
  get_target_property(imported ${name} IMPORTED)
  get_target_property(type ${name} TYPE)
  if(imported OR type MATCHES "^(INTERFACE_LIBRARY|UTILITY)$")
    string(TOLOWER "${type}" type)
    if(imported)
      set(type "imported target")
    endif()
    _device_coverage_message(FATAL_ERROR "instrument" "`${name}` is an ${type} and compiles nothing"
      "it cannot be instrumented" "name the targets whose sources are compiled in this build")
  endif()
  set(${outTarget} ${name} PARENT_SCOPE)
endfunction()

# The code-object version of a target: its own options say it, or the project's flags do (found by the probe).
function(_device_coverage_code_object_version outVersion target)
  _device_coverage_get(version CODE_OBJECT_VERSION)
  get_target_property(options ${target} COMPILE_OPTIONS)
  foreach(option IN LISTS options)
    if(option MATCHES "-mcode-object-version=([0-9]+)")
      set(version "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${outVersion} "${version}" PARENT_SCOPE)
endfunction()

# Executables and shared libraries link the runtime themselves. Whoever links a static or object library
# must do so in its place, but only inside this build: an installed library exports no coverage flags.
function(_device_coverage_link_runtime target sides link)
  get_target_property(type ${target} TYPE)
  set(libraries "")
  if(NOT sides STREQUAL "HOST")
    set(libraries DeviceCoverage::runtime)
  endif()
  _device_coverage_get(languages LANGUAGES)
  list(JOIN languages "," languages)
  foreach(option IN LISTS link)
    list(APPEND options "$<$<LINK_LANGUAGE:${languages}>:${option}>")
  endforeach()
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    foreach(option IN LISTS options)
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_OPTIONS "$<BUILD_INTERFACE:${option}>")
    endforeach()
    foreach(library IN LISTS libraries)
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<BUILD_INTERFACE:${library}>")
    endforeach()
  else()
    set_property(TARGET ${target} APPEND PROPERTY LINK_OPTIONS "${options}")
    # As a property and not by target_link_libraries(), whose signature (keyword or plain) is the project's.
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${libraries})
  endif()
endfunction()

function(_device_coverage_instrument_target target sides)
  get_target_property(known ${target} DEVICE_COVERAGE_SIDES)
  if(known STREQUAL sides)
    return()
  elseif(known)
    _device_coverage_message(FATAL_ERROR "instrument"
      "`${target}` is instrumented for ${known} already and now asked for ${sides}"
      "its flags would contradict each other" "call device_coverage_instrument once for each target")
  endif()
  set_property(TARGET ${target} PROPERTY DEVICE_COVERAGE_SIDES ${sides})
  set(archive "")
  if(NOT sides STREQUAL "HOST")
    _device_coverage_code_object_version(version ${target})
    _device_coverage_require_archive(archive archiveTarget "${version}" "")
    add_dependencies(${target} ${archiveTarget})
  endif()
  _device_coverage_options(compile link ${sides} "${archive}")
  _device_coverage_get(languages LANGUAGES)
  list(JOIN languages "," languages)
  foreach(option IN LISTS compile)
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS
      "$<$<COMPILE_LANGUAGE:${languages}>:${option}>")
  endforeach()
  _device_coverage_link_runtime(${target} ${sides} "${link}")
endfunction()

#[[
device_coverage_instrument(<target>... [HOST_ONLY | DEVICE_ONLY])

Compiles the sources of the targets with coverage of host and device code, links the device runtime into
their device images and the profile runtime and DeviceCoverage::runtime into the executables and shared
libraries, be these the targets themselves or whoever links them (static and object libraries).

<target>     executables, or static, shared, module or object libraries of this build
HOST_ONLY    device code stays as it is
DEVICE_ONLY  host code stays as it is

Does nothing when coverage is off; instruments host code alone when DeviceCoverage_ENABLED is false and
DeviceCoverage_HOST_ENABLED true. Fails for names that are no targets, for targets that compile nothing, and
when a target is instrumented twice in different ways.
]]
function(device_coverage_instrument)
  cmake_parse_arguments(PARSE_ARGV 0 arg "HOST_ONLY;DEVICE_ONLY" "" "")
  if(arg_HOST_ONLY AND arg_DEVICE_ONLY)
    _device_coverage_message(FATAL_ERROR "instrument"
      "device_coverage_instrument was given HOST_ONLY and DEVICE_ONLY" "nothing is left to instrument"
      "give one of them, or neither for both sides")
  endif()
  _device_coverage_effective_sides(sides "${arg_HOST_ONLY}" "${arg_DEVICE_ONLY}")
  if(sides STREQUAL "")
    return()
  endif()
  foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
    _device_coverage_resolve_target(target device_coverage_instrument "${name}")
    _device_coverage_instrument_target(${target} ${sides})
  endforeach()
endfunction()
