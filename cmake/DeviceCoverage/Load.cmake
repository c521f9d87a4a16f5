# The order of the stages, and the results that the project sees.

# Stores what the user asks for. The variable is the project's choice, so that a library may keep the name
# its users know (`set(DeviceCoverage_REQUEST_VARIABLE ENABLE_FULL_COVERAGE)` before find_package).
function(_device_coverage_request)
  set(variable ENABLE_DEVICE_COVERAGE)
  if(DeviceCoverage_REQUEST_VARIABLE)
    set(variable "${DeviceCoverage_REQUEST_VARIABLE}")
  endif()
  if(NOT DEFINED ${variable})
    set(${variable} OFF CACHE STRING "Coverage of GPU device code: AUTO, ON or OFF")
    set_property(CACHE ${variable} PROPERTY STRINGS AUTO ON OFF)
  endif()
  _device_coverage_read_request("${variable}" "${${variable}}")
endfunction()

# Once for each configure, in the first directory that asks for the package.
function(_device_coverage_load)
  _device_coverage_request()
  _device_coverage_get(request REQUEST)
  if(NOT request STREQUAL "OFF")
    _device_coverage_hash_runtime()
    _device_coverage_probe()
    _device_coverage_add_project_blockers("${DeviceCoverage_EXTRA_BLOCKERS}"
      "${DeviceCoverage_MINIMUM_ROCM_VERSION}" "${DeviceCoverage_ROCM_VERSION}")
  endif()
  _device_coverage_decide()
  _device_coverage_get(enabled ENABLED)
  if(enabled)
    _device_coverage_provide_runtime()
    _device_coverage_say_enabled()
  else()
    _device_coverage_provide_disabled_runtime()
  endif()
endfunction()

function(_device_coverage_say_enabled)
  foreach(key IN ITEMS REQUEST REQUEST_VARIABLE LLVM_VERSION NAMED_TARGETS)
    _device_coverage_get(${key} ${key})
  endforeach()
  list(JOIN NAMED_TARGETS ", " targets)
  if(NOT targets STREQUAL "")
    string(PREPEND targets " (")
    string(APPEND targets ")")
  endif()
  _device_coverage_message(STATUS "policy" "${REQUEST_VARIABLE}=${REQUEST} and LLVM ${LLVM_VERSION} can do it"
    "host and device code${targets} are measured" "build coverage-report after the tests")
endfunction()

# The result variables in the including scope, or with the argument PARENT_SCOPE in the one above it.
macro(_device_coverage_publish)
  foreach(_device_coverage_result IN ITEMS ENABLED HOST_ENABLED BLOCKER VERSION LLVM_VERSION LLVM_BIN_DIR
          CODE_OBJECT_VERSION)
    _device_coverage_get(DeviceCoverage_${_device_coverage_result} ${_device_coverage_result})
    set(DeviceCoverage_${_device_coverage_result} "${DeviceCoverage_${_device_coverage_result}}" ${ARGN})
  endforeach()
  foreach(_device_coverage_result IN ITEMS "CLANG=clang" "CLANGXX=clang++" "LLD=lld" "LLVM_AR=llvm-ar"
          "OFFLOAD_BUNDLER=clang-offload-bundler" "LLVM_PROFDATA=llvm-profdata" "LLVM_COV=llvm-cov")
    string(REGEX MATCH "^([A-Z_]+)=(.+)$" _device_coverage_result "${_device_coverage_result}")
    _device_coverage_get(DeviceCoverage_${CMAKE_MATCH_1} "TOOL_${CMAKE_MATCH_2}")
    set(DeviceCoverage_${CMAKE_MATCH_1} "${DeviceCoverage_${CMAKE_MATCH_1}}" ${ARGN})
  endforeach()
  unset(_device_coverage_result)
  _device_coverage_get(DeviceCoverage_ASSEMBLY_FILTER MODULE_DIR)
  set(DeviceCoverage_ASSEMBLY_FILTER "${DeviceCoverage_ASSEMBLY_FILTER}/filter_assembly.cmake" ${ARGN})
endmacro()
