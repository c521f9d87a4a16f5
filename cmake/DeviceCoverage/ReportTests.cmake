# The tests that feed a report: where they write their profiles, and what CTest does before and after them.

# Where the profiles of one test go. The pattern is absolute, because tests change their working directory;
# `test-` keeps the name of a test from looking like a device prefix (`gfx90a.`); host, process and module
# keep ranks, children and libraries from overwriting each other.
function(_device_coverage_profile_pattern outPattern profiles test)
  string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" safe "${test}")
  set(${outPattern} "${profiles}/test-${safe}.%h.%p.%m.profraw" PARENT_SCOPE)
endfunction()

# Tests that gtest_discover_tests() finds are known to CTest alone, which hears of them from the files of the
# directory property TEST_INCLUDE_FILES. One more of these, behind those of GoogleTest, finds their names in the
# variable <target>_TESTS and tells CTest what _device_coverage_wire_tests tells CMake; as a modification, since that
# leaves the tests' own ENVIRONMENT alone.
function(_device_coverage_wire_discovered_tests report targets fixture)
  if(targets STREQUAL "")
    return()
  endif()
  _device_coverage_get(profiles "REPORT_${report}_PROFILES")
  string(REPLACE "$<CONFIG>" "\${CTEST_CONFIGURATION_TYPE}" profiles "${profiles}")
  set(required "")
  if(fixture)
    set(required "FIXTURES_REQUIRED \"device-coverage-${report}\"")
  endif()
  set(script "# Written by DeviceCoverage: where discovered tests of the report `${report}` write their profiles.\n")
  foreach(target IN LISTS targets)
    _device_coverage_claim_test("${report}" TARGET "${target}")
    string(APPEND script "foreach(test IN LISTS \"${target}_TESTS\")
  string(REGEX REPLACE \"[^A-Za-z0-9_.-]\" \"_\" safe \"\${test}\")
  set_tests_properties(\"\${test}\" PROPERTIES LABELS device-coverage ${required}
    ENVIRONMENT_MODIFICATION \"LLVM_PROFILE_FILE=set:${profiles}/test-\${safe}.%h.%p.%m.profraw\")
endforeach()\n")
  endforeach()
  set(file "${CMAKE_CURRENT_BINARY_DIR}/device-coverage/${report}/discovered_tests.cmake")
  file(CONFIGURE OUTPUT "${file}" CONTENT "@script@" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

# Runs at the end of the directory, when all its tests are known.
function(_device_coverage_wire_tests report tests fixture)
  _device_coverage_get(profiles "REPORT_${report}_PROFILES")
  foreach(test IN LISTS tests)
    if(NOT TEST "${test}")
      _device_coverage_message(FATAL_ERROR "report" "report `${report}` names the test `${test}`, which is unknown"
        "its profiles would be written anywhere" "name tests that add_test() adds in the same directory, and in TEST_TARGETS what gtest_discover_tests() \
was given")
    endif()
    _device_coverage_claim_test("${report}" NAME "${test}")
    _device_coverage_profile_pattern(pattern "${profiles}" "${test}")
    set_property(TEST "${test}" APPEND PROPERTY ENVIRONMENT "LLVM_PROFILE_FILE=${pattern}")
    set_property(TEST "${test}" APPEND PROPERTY LABELS device-coverage)
    if(fixture)
      set_property(TEST "${test}" APPEND PROPERTY FIXTURES_REQUIRED device-coverage-${report})
    endif()
  endforeach()
endfunction()

# With CTEST_FIXTURES, `ctest` cleans before the report's tests and reports after them, failed ones included.
function(_device_coverage_add_fixtures name manifest)
  # `ctest` builds nothing: where the command line is a target of this build, it must be part of `all`.
  if(NOT TARGET device-coverage-for-tests)
    add_custom_target(device-coverage-for-tests ALL)
    if(TARGET device-coverage)
      add_dependencies(device-coverage-for-tests device-coverage)
    endif()
  endif()
  foreach(step IN ITEMS clean report)
    add_test(NAME coverage-${step}-${name}
      COMMAND DeviceCoverage::device-coverage ${step} --manifest "${manifest}")
  endforeach()
  set_tests_properties(coverage-clean-${name} PROPERTIES FIXTURES_SETUP device-coverage-${name})
  set_tests_properties(coverage-report-${name} PROPERTIES FIXTURES_CLEANUP device-coverage-${name})
endfunction()
