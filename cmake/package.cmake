# What a project gets that adds DeviceCoverage with add_subdirectory() or FetchContent: the same functions,
# targets and result variables as from find_package(). The top-level CMakeLists.txt includes this file after the
# executables are defined; where DeviceCoverage is the whole build there is nobody to serve.

if(PROJECT_IS_TOP_LEVEL)
  return()
endif()

foreach(_tool IN ITEMS device-coverage amdgpu-simulator)
  if(TARGET ${_tool} AND NOT TARGET DeviceCoverage::${_tool})
    add_executable(DeviceCoverage::${_tool} ALIAS ${_tool})
  endif()
endforeach()

set(_device_coverage_version "${PROJECT_VERSION}")
set(_device_coverage_runtime_source_dir "${PROJECT_SOURCE_DIR}/runtime")
include("${PROJECT_SOURCE_DIR}/cmake/DeviceCoverage/Package.cmake")
_device_coverage_publish(PARENT_SCOPE)
