# A relative LLVM_PROFILE_FILE scatters profiles over the folders that tests run in. The test is added after
# the report names it, and its profile must not look like a device's.
configure(kernels -DENABLE_DEVICE_COVERAGE=ON)
build()
check_run("${CMAKE_CTEST_COMMAND}" --test-dir "${BUILD_DIR}" STDOUT "100% tests passed" STDERR ".*")
file(GLOB profiles RELATIVE "${BUILD_DIR}/coverage-profiles" "${BUILD_DIR}/coverage-profiles/*.profraw")
check_output("the list of profiles" "${profiles}" "^test-program\\.[^;]+\\.profraw$")
# The program launches nothing, so that the report has a host side only, and says so with its status.
build(coverage-report FAILS STDERR "no device profile was written to ${BUILD_DIR}/coverage-profiles")
file(STRINGS "${BUILD_DIR}/coverage-report/summary.txt" host REGEX "^host .* 50.00% \\(1/2\\)")
if(host STREQUAL "")
  fail("the report has no host side with 1 of 2 functions covered")
endif()
build(coverage-clean STDERR ".*")
file(GLOB_RECURSE profiles "${BUILD_DIR}/coverage-profiles/*.profraw")
expect_equal("what coverage-clean left" "${profiles}" "")
