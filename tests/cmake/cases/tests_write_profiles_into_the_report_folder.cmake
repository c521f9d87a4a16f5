# A relative LLVM_PROFILE_FILE scatters profiles over the folders that tests run in. The test is added after
# the report names it, and its profile must not look like a device's.
configure(kernels -DENABLE_DEVICE_COVERAGE=ON)
build()
check_run("${CMAKE_CTEST_COMMAND}" --test-dir "${BUILD_DIR}" STDOUT "100% tests passed" STDERR ".*")
file(GLOB profiles RELATIVE "${BUILD_DIR}/coverage-profiles" "${BUILD_DIR}/coverage-profiles/*.profraw")
check_output("the list of profiles" "${profiles}" "^test-program\\.[^;]+\\.profraw$")
build(coverage-report)
build(coverage-clean)
