# What the probe found, kept from one configure to the next.
#
# One file per set of inputs (compiler, flags, targets, this package), so that a change of any of them is
# probed anew without being asked for. Facts with a blocker, be it of one target ID, are not kept: whoever
# repairs the toolchain should not have to know of a cache.

# The keys of State.cmake that hold what the probe found.
function(_device_coverage_list_facts outKeys)
  set(keys LLVM_VERSION LLVM_BIN_DIR RESOURCE_DIR CODE_OBJECT_VERSION)
  _device_coverage_get(tools TOOLS)
  foreach(tool IN LISTS tools)
    list(APPEND keys "TOOL_${tool}")
  endforeach()
  set(${outKeys} "${keys}" PARENT_SCOPE)
endfunction()

# Time and size of the files: cheaper than asking the compiler for its version, which takes longer than all
# else in a configure that changes nothing.
function(_device_coverage_stamp outStamp files)
  set(stamp "")
  foreach(file IN LISTS files)
    set(size "")
    set(time absent)
    if(EXISTS "${file}")
      file(REAL_PATH "${file}" file)
      file(TIMESTAMP "${file}" time UTC)
    endif()
    if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
      file(SIZE "${file}" size)
    endif()
    string(APPEND stamp "${file} ${size} ${time}\n")
  endforeach()
  string(SHA1 stamp "${stamp}")
  set(${outStamp} ${stamp} PARENT_SCOPE)
endfunction()

# Names the facts' file, stores PROBE_DIR, and loads the facts where they still hold.
function(_device_coverage_open_facts outKnown)
  set(inputs "")
  foreach(key IN ITEMS COMPILER LANGUAGE LANGUAGES FLAGS LINK_FLAGS TARGETS VERSION RUNTIME_KEY)
    _device_coverage_get(value ${key})
    string(APPEND inputs "${key}=${value}\n")
  endforeach()
  _device_coverage_get(language LANGUAGE)
  string(APPEND inputs "${CMAKE_SYSTEM_NAME} ${CMAKE_${language}_COMPILER_LAUNCHER}")
  string(SHA1 hash "${inputs}")
  string(SUBSTRING ${hash} 0 12 hash)
  _device_coverage_get(directory BINARY_DIR)
  _device_coverage_set(PROBE_DIR "${directory}/probe/${hash}")
  set(isCurrent FALSE)
  include("${directory}/probe/${hash}/facts.cmake" OPTIONAL)
  set(${outKnown} ${isCurrent} PARENT_SCOPE)
  if(NOT isCurrent)
    file(REMOVE_RECURSE "${directory}/probe/${hash}")
    file(MAKE_DIRECTORY "${directory}/probe/${hash}")
  endif()
endfunction()

# The compiler launcher's file, if there is one: an upgrade may lose arguments that the last one kept.
function(_device_coverage_find_launcher outFile)
  _device_coverage_get(language LANGUAGE)
  set(${outFile} "" PARENT_SCOPE)
  if(CMAKE_${language}_COMPILER_LAUNCHER)
    list(GET CMAKE_${language}_COMPILER_LAUNCHER 0 launcher)
    find_program(file NAMES "${launcher}" NO_CACHE)
    if(file)
      set(${outFile} "${file}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(_device_coverage_save_facts)
  _device_coverage_unblocked(free DEVICE)
  _device_coverage_get(leftOut LEFT_OUT)
  if(NOT free OR NOT leftOut STREQUAL "")
    return()
  endif()
  _device_coverage_get(compiler COMPILER)
  _device_coverage_get(resourceDir RESOURCE_DIR)
  set(files "${compiler}" "${resourceDir}/include/profile/InstrProfData.inc" "${resourceDir}/lib")
  _device_coverage_find_launcher(launcher)
  list(APPEND files ${launcher})
  set(body "")
  _device_coverage_list_facts(keys)
  foreach(key IN LISTS keys)
    _device_coverage_get(value ${key})
    string(APPEND body "_device_coverage_set([==[${key}]==] [==[${value}]==])\n")
    if(key MATCHES "^TOOL_")
      list(APPEND files "${value}")
    endif()
  endforeach()
  _device_coverage_stamp(stamp "${files}")
  _device_coverage_get(directory PROBE_DIR)
  file(WRITE "${directory}/facts.cmake"
    "# Found by DeviceCoverage's probe; remove this file to have it probe again.\n"
    "_device_coverage_stamp(stamp [==[${files}]==])\n"
    "if(NOT stamp STREQUAL \"${stamp}\")\n  return()\nendif()\n"
    "${body}set(isCurrent TRUE)\n")
endfunction()
