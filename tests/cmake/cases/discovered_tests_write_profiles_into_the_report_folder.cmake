# Tests that are found after the build are no tests to CMake: without wiring of their own their profiles would
# scatter, and old ones count again.
function(expect_profiles folder config)
  check_run("${CMAKE_COMMAND}" --build "${BUILD_DIR}" --config ${config})
  check_run("${CMAKE_CTEST_COMMAND}" --test-dir "${BUILD_DIR}" -j 2 -C ${config} -R Sums FAILS STDERR ".*"
    STDOUT "coverage-clean-discovered .*Passed.*Sums.OfTwo.*Passed.*coverage-report-discovered .*Failed")
  file(GLOB profiles RELATIVE "${folder}" "${folder}/*.profraw")
  list(SORT profiles)
  check_output("the list of profiles" "${profiles}"
    "^test-Sums.OfNothing\\.[^;]+\\.profraw;test-Sums.OfTwo\\.[^;]+\\.profraw$")
  check_run("${CMAKE_CTEST_COMMAND}" --test-dir "${BUILD_DIR}" -C ${config} --print-labels STDOUT "device-coverage own" STDERR ".*")
endfunction()
# Nothing is launched, so the report has no device side and says so with its status.
configure(discovered -DENABLE_DEVICE_COVERAGE=ON -DTEST_TARGETS=tests)
expect_profiles("${BUILD_DIR}/coverage-profiles" Debug)
configure(discovered -DTEST_TARGETS=unknown FAILS STDERR
  "DeviceCoverage: report: TEST_TARGETS of report `discovered` names `unknown`, which is no executable; no test could be discovered from it; name what gtest_discover_tests\\(\\) is given")
set(GENERATOR "Ninja Multi-Config")
set(BUILD_DIR "${WORK_DIR}/multi")
configure(discovered -DENABLE_DEVICE_COVERAGE=ON -DTEST_TARGETS=tests)
expect_profiles("${BUILD_DIR}/coverage-profiles/Release" Release)
