# The first copy serves the whole build if it is new enough; a newer one cannot replace it any more.
file(COPY "${PREFIX}/" DESTINATION "${WORK_DIR}/newer")
file(GLOB config "${WORK_DIR}/newer/lib*/cmake/DeviceCoverage" "${WORK_DIR}/newer/lib/*/cmake/DeviceCoverage")
foreach(name IN ITEMS DeviceCoverageConfig DeviceCoverageConfigVersion)
  file(READ "${config}/${name}.cmake" text)
  string(REGEX REPLACE "(_device_coverage_version|PACKAGE_VERSION) \"[0-9.]+\"" "\\1 \"99.0.0\"" text "${text}")
  file(WRITE "${config}/${name}.cmake" "${text}")
endforeach()
configure(two-copies -DENABLE_DEVICE_COVERAGE=OFF "-DFIRST=${WORK_DIR}/newer" "-DSECOND=${PREFIX}" STDOUT "version=99.0.0")
configure(two-copies -DENABLE_DEVICE_COVERAGE=OFF "-DFIRST=${PREFIX}" "-DSECOND=${WORK_DIR}/newer" FAILS STDERR
  "DeviceCoverage: package: version [0-9.]+ is in this build already and version 99.0.0 is asked for; one build cannot hold both; have the newer one found first")
