# What a target's own flags say, wherever they come from. Looked at when all directories have been read, so that
# it does not matter whether flags are set before or after the package's functions are called.

# The flags that a directory compiles device code with: they may differ from those where the package was found.
function(_device_coverage_directory_flags outText directory)
  _device_coverage_get(language LANGUAGE)
  get_directory_property(config DIRECTORY "${directory}" DEFINITION CMAKE_BUILD_TYPE)
  string(TOUPPER "${config}" config)
  get_directory_property(flags DIRECTORY "${directory}" DEFINITION CMAKE_${language}_FLAGS)
  get_directory_property(configFlags DIRECTORY "${directory}" DEFINITION CMAKE_${language}_FLAGS_${config})
  set(${outText} "${flags} ${configFlags}" PARENT_SCOPE)
endfunction()

# The options that single sources of a target have.
function(_device_coverage_source_flags outText target)
  set(text "")
  get_target_property(sources ${target} SOURCES)
  if(NOT sources)
    set(sources "")
  endif()
  list(FILTER sources EXCLUDE REGEX "\\$<")
  get_target_property(sourceDir ${target} SOURCE_DIR)
  get_target_property(binaryDir ${target} BINARY_DIR)
  foreach(source IN LISTS sources)
    # Relative names are those of the target's directory, where this does not run; what is generated is below the other.
    if(NOT IS_ABSOLUTE "${source}" AND EXISTS "${sourceDir}/${source}")
      set(source "${sourceDir}/${source}")
    elseif(NOT IS_ABSOLUTE "${source}")
      set(source "${binaryDir}/${source}")
    endif()
    foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_FLAGS)
      get_property(flags SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY ${property})
      if(flags)
        string(APPEND text " ${flags}")
      endif()
    endforeach()
  endforeach()
  set(${outText} "${text}" PARENT_SCOPE)
endfunction()

# The names of libraries, out of generator expressions such as `$<BUILD_INTERFACE:flags>`. What is only linked
# hands on no compile options.
function(_device_coverage_library_names outNames)
  set(names "")
  foreach(library IN LISTS ARGN)
    if(library MATCHES "^\\$<LINK_ONLY:")
      continue()
    elseif(library MATCHES "^\\$<.*>:([^>]+)>+$" OR library MATCHES "^\\$<[^:]+:([^>]+)>+$")
      set(library "${CMAKE_MATCH_1}")
    endif()
    list(APPEND names "${library}")
  endforeach()
  set(${outNames} "${names}" PARENT_SCOPE)
endfunction()

# The compile options of a target, of its sources, of its directory and of all it links: the raw text, in which
# flags can be looked for.
function(_device_coverage_option_text outText target)
  set(pending ${target})
  set(seen "")
  get_target_property(directory ${target} SOURCE_DIR)
  _device_coverage_directory_flags(text "${directory}")
  while(pending)
    list(POP_FRONT pending item)
    if(item IN_LIST seen OR NOT TARGET "${item}")
      continue()
    endif()
    list(APPEND seen "${item}")
    get_target_property(options ${item} INTERFACE_COMPILE_OPTIONS)
    get_target_property(libraries ${item} INTERFACE_LINK_LIBRARIES)
    get_target_property(type ${item} TYPE)
    if(item STREQUAL target AND NOT type STREQUAL "INTERFACE_LIBRARY")
      get_target_property(options ${item} COMPILE_OPTIONS)
      get_target_property(libraries ${item} LINK_LIBRARIES)
      get_target_property(flags ${item} COMPILE_FLAGS)
      _device_coverage_source_flags(sourceFlags ${item})
      string(APPEND text " ${flags} ${sourceFlags}")
    endif()
    string(APPEND text " ${options}")
    if(libraries)
      _device_coverage_library_names(names ${libraries})
      list(APPEND pending ${names})
    endif()
  endwhile()
  set(${outText} "${text}" PARENT_SCOPE)
endfunction()

# The code-object version of a target: its options say it, or the probe has found the project's.
function(_device_coverage_code_object_version outVersion text)
  _device_coverage_get(version CODE_OBJECT_VERSION)
  if(text MATCHES "-mcode-object-version=([0-9]+)")
    set(version "${CMAKE_MATCH_1}")
  endif()
  set(${outVersion} "${version}" PARENT_SCOPE)
endfunction()

# Whether flags instrument device code by themselves, the last one winning as it does for clang; and the name of
# profiles in them, if any.
function(_device_coverage_own_coverage outDevice outName text)
  set(device FALSE)
  set(name "")
  set(side "")
  string(REGEX REPLACE "[][ \t\"\\;]+" ";" words "${text}")
  foreach(word IN LISTS words)
    if(word MATCHES "-Xarch_(.+)$")
      set(side "${CMAKE_MATCH_1}")
      continue()
    endif()
    if(word MATCHES "(^|[:>])-f(no-)?profile-instr-generate(=([^>]*))?>*$" AND NOT side STREQUAL "host")
      set(device TRUE)
      if(CMAKE_MATCH_2)
        set(device FALSE)
      endif()
    endif()
    if(word MATCHES "(^|[:>])-fprofile-instr-generate=([^>]+)")
      set(name "${CMAKE_MATCH_2}")
    endif()
    set(side "")
  endforeach()
  set(${outDevice} ${device} PARENT_SCOPE)
  set(${outName} "${name}" PARENT_SCOPE)
endfunction()

# Tells of coverage flags that the project's code has anyway, for all its targets: code that the package is not asked
# to instrument gets no device runtime.
function(_device_coverage_tell_project_coverage)
  _device_coverage_get(flags FLAGS)
  list(JOIN flags " " text)
  _device_coverage_own_coverage(device name "${text}")
  if(device)
    _device_coverage_message(STATUS "instrument"
      "the project's flags have -fprofile-instr-generate, which instruments the device code of all targets"
      "that of targets without device_coverage_instrument has no device runtime, and may not load"
      "leave coverage flags to device_coverage_instrument")
  endif()
endfunction()

# HOST: the project's own coverage flags reach device code too, and device code that is instrumented without its
# runtime does not load. outOptions: what ends it.
function(_device_coverage_end_own_flags outOptions target sides text)
  set(${outOptions} "" PARENT_SCOPE)
  _device_coverage_own_coverage(device name "${text}")
  if(device AND sides STREQUAL "HOST")
    _device_coverage_message(STATUS "instrument"
      "`${target}` has -fprofile-instr-generate among its own flags, which instruments its device code"
      "it is switched off for its device code" "leave coverage flags to device_coverage_instrument")
    _device_coverage_end_options(options DEVICE)
    set(${outOptions} "${options}" PARENT_SCOPE)
  elseif(NOT name STREQUAL "" AND NOT sides STREQUAL "HOST")
    _device_coverage_message(STATUS "instrument"
      "`${target}` has -fprofile-instr-generate=${name} among its own flags"
      "its device profiles do not take that name" "name profiles by the environment variable LLVM_PROFILE_FILE")
  endif()
endfunction()
