# Which clang compiles device code, and the tools of that clang's own LLVM installation.
#
# Tools are never taken from PATH: profiles and coverage maps change with every LLVM version, and a tool of
# another installation either refuses them or, worse, misreads them.

_device_coverage_set(TOOLS "clang++;clang;lld;clang-offload-bundler;llvm-ar;llvm-profdata;llvm-cov")

# Stores LANGUAGE: the one that compiles device code (HIP where enabled, else CXX), its compiler, and LANGUAGES:
# those of C, CXX and HIP that can be instrumented with it.
function(_device_coverage_find_languages)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(language CXX)
  if("HIP" IN_LIST enabled)
    set(language HIP)
  endif()
  _device_coverage_set(LANGUAGE ${language})
  _device_coverage_set(COMPILER "${CMAKE_${language}_COMPILER}")
  _device_coverage_join_languages("${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()

# Adds to LANGUAGES what has been enabled since this was last called; `directory` is one that has the language.
# Targets are instrumented at the end of the project, when a language may have been enabled after the package was found.
function(_device_coverage_join_languages directory)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(key IN ITEMS LANGUAGE LANGUAGES SEEN_LANGUAGES)
    _device_coverage_get(${key} ${key})
  endforeach()
  foreach(candidate IN ITEMS C CXX HIP)
    if(NOT candidate IN_LIST enabled OR candidate IN_LIST SEEN_LANGUAGES)
      continue()
    endif()
    list(APPEND SEEN_LANGUAGES ${candidate})
    get_directory_property(id DIRECTORY "${directory}" DEFINITION CMAKE_${candidate}_COMPILER_ID)
    if(NOT id MATCHES "Clang")
      continue()
    endif()
    _device_coverage_compare_llvm(same ${candidate} ${LANGUAGE} "${directory}")
    _device_coverage_is_probed(probed ${candidate} "${directory}")
    if(same AND probed)
      list(APPEND LANGUAGES ${candidate})
      _device_coverage_set(COMPILER_ID_${candidate} "${id}")
    endif()
  endforeach()
  _device_coverage_set(LANGUAGES "${LANGUAGES}")
  _device_coverage_set(SEEN_LANGUAGES "${SEEN_LANGUAGES}")
endfunction()

# False for HIP that is compiled by another compiler than the one that was probed, because it was enabled later.
function(_device_coverage_is_probed outProbed candidate directory)
  foreach(key IN ITEMS LANGUAGE COMPILER REQUEST REQUEST_VARIABLE)
    _device_coverage_get(${key} ${key})
  endforeach()
  get_directory_property(compiler DIRECTORY "${directory}" DEFINITION CMAKE_${candidate}_COMPILER)
  set(${outProbed} TRUE PARENT_SCOPE)
  if(NOT candidate STREQUAL "HIP" OR LANGUAGE STREQUAL "HIP" OR compiler STREQUAL COMPILER)
    return()
  endif()
  set(${outProbed} FALSE PARENT_SCOPE)
  set(mode STATUS)
  set(consequence "HIP sources are not measured")
  if(REQUEST STREQUAL "ON")
    set(mode FATAL_ERROR)
    set(consequence "${REQUEST_VARIABLE}=ON cannot be fulfilled")
  endif()
  _device_coverage_message(${mode} "toolchain"
    "HIP was enabled after the package was found, and its compiler `${compiler}` was not probed"
    "${consequence}" "call find_package(DeviceCoverage) after enable_language(HIP)")
endfunction()

# Code of two LLVM versions in one program has profiles of two versions, which one runtime cannot write.
function(_device_coverage_compare_llvm outSame candidate language directory)
  set(versions "")
  foreach(each IN ITEMS ${candidate} ${language})
    get_directory_property(version DIRECTORY "${directory}" DEFINITION CMAKE_${each}_COMPILER_VERSION)
    list(APPEND versions "${version}")
  endforeach()
  list(TRANSFORM versions REPLACE "^([0-9]+).*" "\\1" OUTPUT_VARIABLE majors)
  list(REMOVE_DUPLICATES majors)
  list(LENGTH majors count)
  set(${outSame} TRUE PARENT_SCOPE)
  if(count GREATER 1)
    set(${outSame} FALSE PARENT_SCOPE)
    list(GET versions 0 version)
    list(GET versions 1 deviceVersion)
    _device_coverage_message(STATUS "toolchain"
      "the ${candidate} compiler is clang ${version} and the ${language} compiler clang ${deviceVersion}"
      "${candidate} sources are not measured" "use one LLVM for all languages")
  endif()
endfunction()

# False, with a blocker, where no language is enabled that could compile device code: the package then knows neither
# compiler nor platform.
function(_device_coverage_has_language outHas)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(${outHas} TRUE PARENT_SCOPE)
  if(NOT "CXX" IN_LIST enabled AND NOT "HIP" IN_LIST enabled)
    set(${outHas} FALSE PARENT_SCOPE)
    _device_coverage_block(HOST "toolchain" "neither CXX nor HIP is enabled where the package is found"
      "call find_package(DeviceCoverage) after project(), in a project with one of these languages")
  endif()
endfunction()

# False, with a blocker, for folders whose names get lost on the way through build files, linkers and the names of
# profiles, which take these characters for something else.
function(_device_coverage_has_usable_folders outUsable)
  set(${outUsable} TRUE PARENT_SCOPE)
  _device_coverage_get(runtime RUNTIME_SOURCE_DIR)
  foreach(folder IN ITEMS "${CMAKE_BINARY_DIR}" "${runtime}")
    if(folder MATCHES "([#$%,;\"<>])")
      set(${outUsable} FALSE PARENT_SCOPE)
      _device_coverage_block(HOST "toolchain" "the folder `${folder}` has the character `${CMAKE_MATCH_1}` in its name"
        "build, and install the package, in folders whose names linkers and build tools can hold")
    endif()
  endforeach()
endfunction()

# Asks the compiler who it is. Wrappers (hipcc, amdclang++, ccache's links) pass `--version` on to the clang
# behind them, whose InstalledDir is the installation that counts.
function(_device_coverage_find_clang)
  _device_coverage_get(compiler COMPILER)
  execute_process(COMMAND "${compiler}" --version
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT output MATCHES "clang version ([0-9]+\\.[0-9]+\\.[0-9]+)")
    _device_coverage_block(HOST "toolchain" "the compiler `${compiler}` is not clang"
      "configure with -DCMAKE_CXX_COMPILER=<clang++ of ROCm or LLVM>")
    return()
  endif()
  _device_coverage_set(LLVM_VERSION "${CMAKE_MATCH_1}")
  _device_coverage_check_llvm_version("${CMAKE_MATCH_1}")
  if(NOT output MATCHES "InstalledDir: *([^\r\n]+)")
    _device_coverage_block(HOST "toolchain" "`${compiler} --version` names no InstalledDir"
      "name clang itself and not a wrapper as compiler")
    return()
  endif()
  file(REAL_PATH "${CMAKE_MATCH_1}" directory)
  _device_coverage_set(LLVM_BIN_DIR "${directory}")
  execute_process(COMMAND "${compiler}" -print-resource-dir
    OUTPUT_VARIABLE resourceDir ERROR_VARIABLE errors OUTPUT_STRIP_TRAILING_WHITESPACE)
  _device_coverage_set(RESOURCE_DIR "${resourceDir}")
endfunction()

# Older clangs lack the options that keep projects with -Werror building.
function(_device_coverage_check_llvm_version version)
  if(version VERSION_LESS 15)
    _device_coverage_block(HOST "toolchain" "the compiler is clang ${version}" "use a clang of LLVM 15 or newer")
  endif()
endfunction()

# Stores TOOL_<name> for each tool that the clang's own installation has; others stay empty.
function(_device_coverage_find_tools)
  _device_coverage_get(directory LLVM_BIN_DIR)
  _device_coverage_get(tools TOOLS)
  foreach(tool IN LISTS tools)
    set(path "")
    if(EXISTS "${directory}/${tool}" AND NOT IS_DIRECTORY "${directory}/${tool}")
      set(path "${directory}/${tool}")
    endif()
    _device_coverage_set("TOOL_${tool}" "${path}")
  endforeach()
endfunction()

function(_device_coverage_require_tool side tool purpose)
  _device_coverage_get(path "TOOL_${tool}")
  _device_coverage_get(directory LLVM_BIN_DIR)
  if(path STREQUAL "")
    _device_coverage_block(${side} "toolchain"
      "the compiler's LLVM installation `${directory}` has no ${tool} (${purpose})"
      "install ${tool} of this LLVM; one of another installation would not fit the compiler's profiles")
  endif()
endfunction()

# A foreign tool under the right name (a link into another LLVM) is as bad as a missing one.
function(_device_coverage_check_tool_version side tool)
  _device_coverage_get(path "TOOL_${tool}")
  _device_coverage_get(version LLVM_VERSION)
  if(path STREQUAL "")
    return()
  endif()
  execute_process(COMMAND "${path}" --version OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  string(REGEX MATCH "^[0-9]+" major "${version}")
  if(output MATCHES "(LLVM|clang[a-z-]*) version ([0-9]+)" AND NOT CMAKE_MATCH_2 EQUAL major)
    _device_coverage_block(${side} "toolchain"
      "`${path}` is of LLVM ${CMAKE_MATCH_2} and the compiler of LLVM ${version}"
      "repair the LLVM installation, so that compiler and tools are of one version")
  endif()
endfunction()

# Fills in all facts of this stage, or blocks.
function(_device_coverage_find_toolchain)
  _device_coverage_find_clang()
  _device_coverage_unblocked(found HOST)
  if(NOT found)
    return()
  endif()
  _device_coverage_find_tools()
  _device_coverage_require_tool(HOST llvm-profdata "it merges profiles")
  _device_coverage_require_tool(HOST llvm-cov "it maps counters to source lines")
  _device_coverage_check_tool_version(HOST llvm-profdata)
  _device_coverage_check_tool_version(HOST llvm-cov)
  _device_coverage_require_tool(DEVICE clang++ "it compiles the device runtime and the drain")
  _device_coverage_require_tool(DEVICE clang "it compiles the device runtime")
  _device_coverage_require_tool(DEVICE lld "it links device images")
  _device_coverage_require_tool(DEVICE clang-offload-bundler "it bundles device images")
  _device_coverage_require_tool(DEVICE llvm-ar "it archives the device runtime")
  _device_coverage_check_tool_version(DEVICE clang-offload-bundler)
  _device_coverage_check_tool_version(DEVICE llvm-ar)
endfunction()
