# Installs and exports the package. The top-level CMakeLists.txt includes this file last. The folders of the
# executables `device-coverage` and `amdgpu-simulator` (either may be absent) install these themselves, with
# EXPORT DeviceCoverageTargets, and whatever they load at run time.
#
# The build tree is usable as well: -DDeviceCoverage_DIR=<build tree>.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/DeviceCoverage")
set(_data_dir "${CMAKE_INSTALL_DATADIR}/device-coverage")

install(EXPORT DeviceCoverageTargets NAMESPACE DeviceCoverage:: DESTINATION "${_config_dir}")
export(EXPORT DeviceCoverageTargets NAMESPACE DeviceCoverage::
  FILE "${PROJECT_BINARY_DIR}/DeviceCoverageTargets.cmake")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/cmake/DeviceCoverage/" DESTINATION "${_config_dir}/stages")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/" DESTINATION "${_data_dir}/runtime"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.c" PATTERN "*.cpp")

# Executables are for one platform, but the package's own files are not: versions of one major number fit.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/DeviceCoverageConfigVersion.cmake"
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMajorVersion)

# Configured twice: for the prefix, and for this build tree, where modules and runtime are still in the sources.
set(DEVICE_COVERAGE_RUNTIME_DIR "${_data_dir}/runtime")
set(DEVICE_COVERAGE_MODULE_DIR "${_config_dir}/stages")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/DeviceCoverageConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/install/DeviceCoverageConfig.cmake" INSTALL_DESTINATION "${_config_dir}"
  PATH_VARS DEVICE_COVERAGE_RUNTIME_DIR DEVICE_COVERAGE_MODULE_DIR)
install(FILES "${PROJECT_BINARY_DIR}/install/DeviceCoverageConfig.cmake"
  "${PROJECT_BINARY_DIR}/DeviceCoverageConfigVersion.cmake" DESTINATION "${_config_dir}")

set(DEVICE_COVERAGE_RUNTIME_DIR "${PROJECT_SOURCE_DIR}/runtime")
set(DEVICE_COVERAGE_MODULE_DIR "${PROJECT_SOURCE_DIR}/cmake/DeviceCoverage")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/DeviceCoverageConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/DeviceCoverageConfig.cmake" INSTALL_DESTINATION "${PROJECT_BINARY_DIR}"
  INSTALL_PREFIX "${PROJECT_BINARY_DIR}"
  PATH_VARS DEVICE_COVERAGE_RUNTIME_DIR DEVICE_COVERAGE_MODULE_DIR)
