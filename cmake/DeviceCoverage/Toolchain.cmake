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
  set(languages "")
  foreach(candidate IN ITEMS C CXX HIP)
    if(candidate IN_LIST enabled AND CMAKE_${candidate}_COMPILER_ID MATCHES "Clang")
      _device_coverage_compare_llvm(same ${candidate} ${language})
      if(same)
        list(APPEND languages ${candidate})
      endif()
    endif()
  endforeach()
  _device_coverage_set(LANGUAGES "${languages}")
endfunction()

# Code of two LLVM versions in one program has profiles of two versions, which one runtime cannot write.
function(_device_coverage_compare_llvm outSame candidate language)
  set(versions "${CMAKE_${candidate}_COMPILER_VERSION}" "${CMAKE_${language}_COMPILER_VERSION}")
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
