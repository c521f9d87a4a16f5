# Loads the package, whichever way it is used: DeviceCoverageConfig.cmake includes this file for
# find_package(), cmake/package.cmake for add_subdirectory() and FetchContent.
#
# Before: _device_coverage_version and _device_coverage_runtime_source_dir are set.
# After:  the public functions exist and, in the including scope, the result variables
#         (docs/reference/variables.md).

cmake_policy(VERSION 3.22)
# An argument that is given as an empty string is one that is not given, and no reason to warn.
if(POLICY CMP0174)
  cmake_policy(SET CMP0174 NEW)
endif()

get_property(_device_coverage_loaded GLOBAL PROPERTY _DEVICE_COVERAGE_VERSION)
if(_device_coverage_loaded AND _device_coverage_loaded VERSION_LESS _device_coverage_version)
  message(FATAL_ERROR "DeviceCoverage: package: version ${_device_coverage_loaded} is in this build already "
    "and version ${_device_coverage_version} is asked for; one build cannot hold both; "
    "have the newer one found first")
endif()

if(NOT _device_coverage_loaded)
  include("${CMAKE_CURRENT_LIST_DIR}/State.cmake")
  _device_coverage_set(VERSION "${_device_coverage_version}")
  _device_coverage_set(RUNTIME_SOURCE_DIR "${_device_coverage_runtime_source_dir}")
  _device_coverage_set(MODULE_DIR "${CMAKE_CURRENT_LIST_DIR}")
  _device_coverage_set(QUIET "${DeviceCoverage_FIND_QUIETLY}")
  _device_coverage_set(BINARY_DIR "${CMAKE_BINARY_DIR}/device-coverage")
  foreach(_device_coverage_stage IN ITEMS Toolchain Facts Probe ProbeDevice ProbeCovered Policy Collector Rdc Runtime
          Options TargetFlags LinkRuntime Instrument InstallRuntime DeviceLink FatBinary Manifest ReportFolders
          ReportTests Report Load)
    include("${CMAKE_CURRENT_LIST_DIR}/${_device_coverage_stage}.cmake")
  endforeach()
  unset(_device_coverage_stage)
  _device_coverage_load()
endif()
unset(_device_coverage_loaded)
_device_coverage_publish()
