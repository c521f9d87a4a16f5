# Reports: the targets that make one.

# One command for all reports: `coverage-<verb>-<name>`, and `coverage-<verb>` for every report of the build.
# Further arguments are the command's.
function(_device_coverage_add_report_target verb name manifest)
  add_custom_target(coverage-${verb}-${name}
    COMMAND DeviceCoverage::device-coverage ${verb} --manifest "${manifest}" ${ARGN}
    COMMENT "Device coverage: ${verb} ${name}" VERBATIM USES_TERMINAL)
  if(NOT TARGET coverage-${verb})
    add_custom_target(coverage-${verb})
  endif()
  add_dependencies(coverage-${verb} coverage-${verb}-${name})
endfunction()

# Gates: coverage-check-<name> makes the report and fails when a share is below its minimum.
function(_device_coverage_add_gates name manifest)
  set(options "")
  foreach(minimum IN LISTS ARGN)
    if(NOT minimum MATCHES "^(host|gfx[^:=]+[^=]*):[a-z]+=[0-9.]+$")
      _device_coverage_message(FATAL_ERROR "report" "report `${name}` has the minimum `${minimum}`"
        "it is not known what to check" "write it as <side>:<metric>=<percent>, such as gfx90a:lines=80")
    endif()
    list(APPEND options --minimum "${minimum}")
  endforeach()
  if(options)
    _device_coverage_add_report_target(check "${name}" "${manifest}" ${options})
    add_dependencies(coverage-check-${name} coverage-report-${name})
  endif()
endfunction()

# The same under the names that ROCm's libraries have, for scripts that know these.
function(_device_coverage_add_rocm_names)
  _device_coverage_get(known ROCM_NAMES)
  if(NOT known)
    foreach(target IN ITEMS coverage coverage_analysis coverage_cleanup)
      if(TARGET ${target})
        _device_coverage_message(FATAL_ERROR "report" "there is a target `${target}` in the project"
          "ROCM_TARGET_NAMES cannot add its own" "rename it or do without ROCM_TARGET_NAMES")
      endif()
    endforeach()
    _device_coverage_set(ROCM_NAMES TRUE)
    add_custom_target(coverage)
    add_dependencies(coverage coverage-report)
    add_custom_target(coverage_cleanup)
    add_dependencies(coverage_cleanup coverage-clean)
    add_custom_target(coverage_analysis
      COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CMAKE_BINARY_DIR}" -C $<CONFIG> -L "^device-coverage$"
              --output-on-failure
      COMMENT "Device coverage: running the tests of all reports" VERBATIM USES_TERMINAL)
  endif()
endfunction()

function(_device_coverage_check_report name unknown sources)
  if(NOT unknown STREQUAL "")
    _device_coverage_message(FATAL_ERROR "report" "device_coverage_add_report does not know `${unknown}`"
      "report `${name}` would not be what was meant" "see its reference page")
  endif()
  if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
    _device_coverage_message(FATAL_ERROR "report" "`${name}` is no name for a target"
      "the report cannot be added" "use letters, digits, `_`, `.`, `+` and `-`")
  endif()
  if(sources STREQUAL "")
    _device_coverage_message(FATAL_ERROR "report" "report `${name}` has neither TARGETS nor CODE_OBJECTS"
      "it could hold no line" "name what was instrumented")
  endif()
  if(TARGET coverage-report-${name})
    _device_coverage_message(FATAL_ERROR "report" "there is a report `${name}` already"
      "its targets would have two meanings" "give each report a name of its own")
  endif()
endfunction()

# Executables whose tests are discovered: a name that is none would find no test, and say nothing.
function(_device_coverage_check_test_targets name)
  foreach(target IN LISTS ARGN)
    set(type "no target")
    if(TARGET "${target}")
      get_target_property(type "${target}" TYPE)
    endif()
    if(NOT type STREQUAL "EXECUTABLE")
      _device_coverage_message(FATAL_ERROR "report"
        "TEST_TARGETS of report `${name}` names `${target}`, which is no executable"
        "no test could be discovered from it" "name what gtest_discover_tests() is given")
    endif()
  endforeach()
endfunction()

# A manifest of an earlier configure would tell other runners of a build that is no more.
function(_device_coverage_forget_report name)
  file(GLOB manifests "${CMAKE_CURRENT_BINARY_DIR}/device-coverage/${name}/device-coverage.json"
    "${CMAKE_CURRENT_BINARY_DIR}/device-coverage/${name}/*/device-coverage.json")
  if(manifests)
    file(REMOVE ${manifests})
  endif()
endfunction()

# Fixtures that no test needs are tests like others: CTest would clean at any time.
function(_device_coverage_check_fixtures name fixtures tests)
  if(fixtures AND tests STREQUAL "")
    _device_coverage_message(FATAL_ERROR "report" "report `${name}` has CTEST_FIXTURES and neither TESTS nor TEST_TARGETS"
      "ctest would remove the profiles of other tests at any time" "name the tests of this report")
  endif()
endfunction()

# Keeps what the manifest of a report will hold. `objects` are the code objects, relative to this folder.
function(_device_coverage_store_report name targets objects ignore output givenProfiles fixtures)
  set(resolved "")
  foreach(target IN LISTS targets)
    _device_coverage_resolve_target(target device_coverage_add_report "${target}")
    list(APPEND resolved ${target})
  endforeach()
  _device_coverage_directory(output "${output}" coverage-report)
  _device_coverage_directory(profiles "${givenProfiles}" coverage-profiles)
  _device_coverage_directory(manifest "" "device-coverage/${name}")
  _device_coverage_claim_output("${name}" "${output}")
  _device_coverage_claim_profiles("${name}" "${profiles}" "${givenProfiles}" "${fixtures}")
  # Without device coverage they have no coverage map, and llvm-cov has nothing to read in them.
  _device_coverage_get(enabled ENABLED)
  if(NOT enabled)
    set(objects "")
  endif()
  _device_coverage_absolute_files(objects "${objects}")
  _device_coverage_set("REPORT_${name}_TARGETS" "${resolved}")
  _device_coverage_set("REPORT_${name}_CODE_OBJECTS" "${objects}")
  _device_coverage_set("REPORT_${name}_IGNORE" "${ignore}")
  _device_coverage_set("REPORT_${name}_OUTPUT" "${output}")
  _device_coverage_set("REPORT_${name}_PROFILES" "${profiles}")
  _device_coverage_set("REPORT_${name}_MANIFEST" "${manifest}/device-coverage.json")
  _device_coverage_set("REPORT_${name}_SOURCE_DIR" "${PROJECT_SOURCE_DIR}")
  _device_coverage_set("REPORT_${name}_BINARY_DIR" "${PROJECT_BINARY_DIR}")
endfunction()

function(_device_coverage_absolute_files outFiles files)
  set(absolute "")
  foreach(file IN LISTS files)
    get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    list(APPEND absolute "${file}")
  endforeach()
  set(${outFiles} "${absolute}" PARENT_SCOPE)
endfunction()

#[[
device_coverage_add_report(<name> TARGETS <target>... [CODE_OBJECTS <file>...] [TESTS <test>...]
                           [TEST_TARGETS <target>...] [IGNORE <regex>...] [OUTPUT_DIRECTORY <dir>] [PROFILE_DIRECTORY <dir>]
                           [MINIMUM <side>:<metric>=<percent>...] [CTEST_FIXTURES] [ROCM_TARGET_NAMES])

Adds the targets coverage-report-<name> and coverage-clean-<name>, and coverage-report and coverage-clean for
all reports of the build.

TARGETS            executables and libraries whose source lines count, host code and fat binaries alike
CODE_OBJECTS       files with device code that no target owns (.hsaco, .co), relative to the binary folder
TESTS              tests of this directory, added before or after; their profiles go to PROFILE_DIRECTORY, and
                   they get the label device-coverage
TEST_TARGETS       executables of this directory whose tests gtest_discover_tests() finds (without its TEST_LIST): the
                   same for these
IGNORE             anchored regular expressions: source files whose whole path matches do not count
OUTPUT_DIRECTORY   where the report goes; <current binary dir>/coverage-report unless given
PROFILE_DIRECTORY  where the profiles are; <current binary dir>/coverage-profiles unless given. A report of all has
                   the folder above those of the others, and no TESTS
MINIMUM            adds coverage-check-<name> and coverage-check, which make the report and fail when a side has
                   less than a share of its lines, functions, regions or branches: gfx90a:lines=80
CTEST_FIXTURES     ctest removes old profiles before the first of TESTS and reports after the last, even when
                   tests failed
ROCM_TARGET_NAMES  adds coverage, coverage_analysis (runs the tests) and coverage_cleanup

The manifest, all that the report needs, is <current binary dir>/device-coverage/<name>/device-coverage.json.
Under multi-config generators each of the three folders has one folder for each configuration.

Does nothing when neither host nor device code is measured, but for removing a manifest of before. Fails for unknown arguments, for targets and tests
that do not exist, for two reports of one name or one folder, for one test in two reports with different folders of
profiles, and where ctest would clean for one report what the tests of another one write.
]]
function(device_coverage_add_report name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CTEST_FIXTURES;ROCM_TARGET_NAMES" "OUTPUT_DIRECTORY;PROFILE_DIRECTORY"
    "TARGETS;CODE_OBJECTS;TESTS;TEST_TARGETS;IGNORE;MINIMUM")
  _device_coverage_get(enabled HOST_ENABLED)
  if(NOT enabled)
    _device_coverage_forget_report("${name}")
    return()
  endif()
  _device_coverage_check_report("${name}" "${arg_UNPARSED_ARGUMENTS}" "${arg_TARGETS}${arg_CODE_OBJECTS}")
  _device_coverage_check_test_targets("${name}" ${arg_TEST_TARGETS})
  _device_coverage_check_fixtures("${name}" "${arg_CTEST_FIXTURES}" "${arg_TESTS}${arg_TEST_TARGETS}")
  _device_coverage_store_report("${name}" "${arg_TARGETS}" "${arg_CODE_OBJECTS}" "${arg_IGNORE}"
    "${arg_OUTPUT_DIRECTORY}" "${arg_PROFILE_DIRECTORY}" "${arg_CTEST_FIXTURES}")
  _device_coverage_get(manifest "REPORT_${name}_MANIFEST")
  _device_coverage_add_report_target(report "${name}" "${manifest}")
  _device_coverage_add_report_target(clean "${name}" "${manifest}")
  _device_coverage_add_gates("${name}" "${manifest}" ${arg_MINIMUM})
  if(arg_CTEST_FIXTURES)
    _device_coverage_add_fixtures("${name}" "${manifest}")
  endif()
  if(arg_ROCM_TARGET_NAMES)
    _device_coverage_add_rocm_names()
  endif()
  # The tests may be added after this call, and code objects anywhere in the project.
  cmake_language(EVAL CODE "
    cmake_language(DEFER CALL _device_coverage_wire_tests
      [==[${name}]==] [==[${arg_TESTS}]==] [==[${arg_CTEST_FIXTURES}]==])
    cmake_language(DEFER CALL _device_coverage_wire_discovered_tests
      [==[${name}]==] [==[${arg_TEST_TARGETS}]==] [==[${arg_CTEST_FIXTURES}]==])
    cmake_language(DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==] CALL _device_coverage_write_manifest [==[${name}]==])")
endfunction()

#[[
device_coverage_add_code_object(<file>... [REPORT <name>] [WITH_HOST_CODE])

Has files with device code that no target owns count in a report: device ELFs (.hsaco, .co) and fat binaries,
built apart and loaded at run time. Without their files llvm-cov cannot map the counters that the drain reads.

<file>          relative to the current binary folder; need not exist before the report is made
REPORT          a report of the build, added before; every report unless given
WITH_HOST_CODE  the files are libraries or programs made by custom commands, whose host code counts as well

Does nothing when device code is not measured, or with WITH_HOST_CODE when host code is not either. Fails for a
report that is unknown.
]]
function(device_coverage_add_code_object)
  cmake_parse_arguments(PARSE_ARGV 0 arg "WITH_HOST_CODE" "REPORT" "")
  _device_coverage_get(enabled ENABLED)
  _device_coverage_get(hostEnabled HOST_ENABLED)
  if(NOT enabled AND NOT (hostEnabled AND arg_WITH_HOST_CODE))
    return()
  endif()
  set(owner COMMON)
  if(arg_REPORT)
    set(owner "REPORT_${arg_REPORT}")
    if(NOT TARGET coverage-report-${arg_REPORT})
      _device_coverage_message(FATAL_ERROR "report" "there is no report `${arg_REPORT}` to add code objects to"
        "their lines would be missing from it" "call device_coverage_add_report first")
    endif()
  endif()
  set(key "${owner}_CODE_OBJECTS")
  if(arg_WITH_HOST_CODE)
    set(key "${owner}_HOST_OBJECTS")
  endif()
  _device_coverage_get(known ${key})
  _device_coverage_absolute_files(files "${arg_UNPARSED_ARGUMENTS}")
  list(APPEND known ${files})
  _device_coverage_set(${key} "${known}")
endfunction()
