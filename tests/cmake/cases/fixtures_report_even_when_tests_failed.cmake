# Stale profiles must not be merged into a new run, and a failing test still counts.
configure(kernels -DENABLE_DEVICE_COVERAGE=ON "-DREPORT_OPTIONS=CTEST_FIXTURES,ROCM_TARGET_NAMES,MINIMUM,host:lines=10")
build()
file(REMOVE "${BUILD_DIR}/program")
file(WRITE "${BUILD_DIR}/coverage-profiles/of-the-last-run.profraw" "")
check_run("${CMAKE_CTEST_COMMAND}" --test-dir "${BUILD_DIR}" FAILS STDERR ".*" STDOUT
  "coverage-clean-kernels .* program .*Not Run.* coverage-report-kernels")
if(EXISTS "${BUILD_DIR}/coverage-profiles/of-the-last-run.profraw")
  fail("the profile of an earlier run would count in this one")
endif()
build(help)
foreach(target IN ITEMS coverage coverage_analysis coverage_cleanup coverage-check coverage-check-kernels)
  check_output("the list of targets" "${RUN_OUTPUT}" "[ /]${target}: ")
endforeach()
configure(kernels "-DREPORT_OPTIONS=MINIMUM,lines=10" FAILS STDERR
  "DeviceCoverage: report: report `kernels` has the minimum `lines=10`; it is not known what to check; write it as <side>:<metric>=<percent>")
