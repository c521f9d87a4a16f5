# Reports: the manifest, the targets that make a report, and the tests that feed it.

# Text as a JSON string.
function(_device_coverage_json_string outJson text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${outJson} "\"${text}\"" PARENT_SCOPE)
endfunction()

# List items as a JSON array of strings.
function(_device_coverage_json_strings outJson)
  set(strings "")
  foreach(text IN LISTS ARGN)
    _device_coverage_json_string(string "${text}")
    list(APPEND strings "${string}")
  endforeach()
  list(JOIN strings ", " strings)
  set(${outJson} "[${strings}]" PARENT_SCOPE)
endfunction()

# The manifest's `objects`, with generator expressions where only generation knows the path.
function(_device_coverage_json_objects outJson targets codeObjects)
  set(objects "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    set(path "$<TARGET_FILE:${target}>")
    if(type STREQUAL "OBJECT_LIBRARY")
      set(path "$<JOIN:$<TARGET_OBJECTS:${target}>,\", \"kind\": \"host\"},\n    {\"path\": \">")
    endif()
    list(APPEND objects "{\"path\": \"${path}\", \"kind\": \"host\"}")
  endforeach()
  foreach(path IN LISTS codeObjects)
    get_filename_component(path "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    _device_coverage_json_string(path "${path}")
    list(APPEND objects "{\"path\": ${path}, \"kind\": \"code_object\"}")
  endforeach()
  list(JOIN objects ",\n    " objects)
  set(${outJson} "[\n    ${objects}\n  ]" PARENT_SCOPE)
endfunction()

# Writes the manifest (docs/architecture.md) when the build system is generated.
function(_device_coverage_write_manifest file name profiles output objects ignore)
  foreach(key IN ITEMS TOOL_llvm-profdata TOOL_llvm-cov LLVM_VERSION BLOCKER ENABLED)
    _device_coverage_get(${key} ${key})
  endforeach()
  set(enabled false)
  if(ENABLED)
    set(enabled true)
  endif()
  foreach(text IN ITEMS name profiles output TOOL_llvm-profdata TOOL_llvm-cov LLVM_VERSION BLOCKER
          PROJECT_SOURCE_DIR PROJECT_BINARY_DIR)
    _device_coverage_json_string(${text} "${${text}}")
  endforeach()
  file(GENERATE OUTPUT "${file}" CONTENT "{
  \"format\": \"device-coverage-manifest\",
  \"version\": 1,
  \"report\": ${name},
  \"source_directory\": ${PROJECT_SOURCE_DIR},
  \"build_directory\": ${PROJECT_BINARY_DIR},
  \"profile_directory\": ${profiles},
  \"output_directory\": ${output},
  \"tools\": {
    \"llvm_profdata\": ${TOOL_llvm-profdata},
    \"llvm_cov\": ${TOOL_llvm-cov},
    \"llvm_version\": ${LLVM_VERSION}
  },
  \"device_coverage\": {\"enabled\": ${enabled}, \"blocker\": ${BLOCKER}},
  \"objects\": ${objects},
  \"ignore\": ${ignore}
}
")
endfunction()

# One command for all reports: `coverage-<verb>-<name>`, and `coverage-<verb>` for every report of the build.
function(_device_coverage_add_report_target verb name manifest)
  add_custom_target(coverage-${verb}-${name}
    COMMAND DeviceCoverage::device-coverage ${verb} --manifest "${manifest}"
    COMMENT "Device coverage: ${verb} ${name}" VERBATIM USES_TERMINAL)
  if(NOT TARGET coverage-${verb})
    add_custom_target(coverage-${verb})
  endif()
  add_dependencies(coverage-${verb} coverage-${verb}-${name})
endfunction()

# Where the profiles of one test go. The pattern is absolute, because tests change their working directory;
# `test-` keeps the name of a test from looking like a device prefix (`gfx90a.`); host, process and module
# keep ranks, children and libraries from overwriting each other.
function(_device_coverage_profile_pattern outPattern profiles test)
  string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" safe "${test}")
  set(${outPattern} "${profiles}/test-${safe}.%h.%p.%m.profraw" PARENT_SCOPE)
endfunction()

# Runs at the end of the directory, when all its tests are known.
function(_device_coverage_wire_tests report profiles tests)
  foreach(test IN LISTS tests)
    if(NOT TEST "${test}")
      _device_coverage_message(FATAL_ERROR "report" "report `${report}` names the test `${test}`, which is unknown"
        "its profiles would be written anywhere" "name tests that add_test() adds in the same directory")
    endif()
    _device_coverage_profile_pattern(pattern "${profiles}" "${test}")
    set_property(TEST "${test}" APPEND PROPERTY ENVIRONMENT "LLVM_PROFILE_FILE=${pattern}")
  endforeach()
endfunction()

# Two reports in one folder would overwrite each other.
function(_device_coverage_claim_output name output)
  _device_coverage_get(claimed REPORT_OUTPUTS)
  if(output IN_LIST claimed)
    _device_coverage_message(FATAL_ERROR "report" "report `${name}` would go to `${output}`, where another one goes"
      "one would overwrite the other" "give OUTPUT_DIRECTORY")
  endif()
  if(TARGET coverage-report-${name})
    _device_coverage_message(FATAL_ERROR "report" "there is a report `${name}` already"
      "its targets would have two meanings" "give each report a name of its own")
  endif()
  _device_coverage_set(REPORT_OUTPUTS "${claimed};${output}")
endfunction()

# The folder of an option, absolute, or its default.
function(_device_coverage_directory outDirectory given default)
  set(directory "${given}")
  if(directory STREQUAL "")
    set(directory "${default}")
  endif()
  get_filename_component(directory "${directory}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  set(${outDirectory} "${directory}" PARENT_SCOPE)
endfunction()

#[[
device_coverage_add_report(<name> TARGETS <target>... [CODE_OBJECTS <file>...] [TESTS <test>...]
                           [IGNORE <regex>...] [OUTPUT_DIRECTORY <dir>] [PROFILE_DIRECTORY <dir>])

Adds the targets coverage-report-<name> and coverage-clean-<name>, and coverage-report and coverage-clean for
all reports of the build.

TARGETS            executables and libraries whose source lines count, host code and fat binaries alike
CODE_OBJECTS       files with device code that no target owns (.hsaco, .co), relative to the binary folder
TESTS              tests of this directory, added before or after; their profiles go to PROFILE_DIRECTORY
IGNORE             anchored regular expressions: source files whose whole path matches do not count
OUTPUT_DIRECTORY   where the report goes; <current binary dir>/coverage-report unless given
PROFILE_DIRECTORY  where the profiles are; <current binary dir>/coverage-profiles unless given

The manifest, all that the report needs, is <current binary dir>/device-coverage/<name>/device-coverage.json
(with a folder for each configuration under multi-config generators).

Does nothing when neither host nor device code is measured. Fails for unknown arguments, for targets and tests
that do not exist, and for two reports of one name or one folder.
]]
function(device_coverage_add_report name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_DIRECTORY;PROFILE_DIRECTORY"
    "TARGETS;CODE_OBJECTS;TESTS;IGNORE")
  _device_coverage_get(enabled HOST_ENABLED)
  if(NOT enabled)
    return()
  endif()
  _device_coverage_check_report("${name}" "${arg_UNPARSED_ARGUMENTS}" "${arg_TARGETS}${arg_CODE_OBJECTS}")
  set(targets "")
  foreach(target IN LISTS arg_TARGETS)
    _device_coverage_resolve_target(target device_coverage_add_report "${target}")
    list(APPEND targets ${target})
  endforeach()
  _device_coverage_directory(output "${arg_OUTPUT_DIRECTORY}" coverage-report)
  _device_coverage_directory(profiles "${arg_PROFILE_DIRECTORY}" coverage-profiles)
  _device_coverage_claim_output("${name}" "${output}")
  _device_coverage_manifest_path(manifest "${name}")
  _device_coverage_json_objects(objects "${targets}" "${arg_CODE_OBJECTS}")
  _device_coverage_json_strings(ignore ${arg_IGNORE})
  _device_coverage_write_manifest("${manifest}" "${name}" "${profiles}" "${output}" "${objects}" "${ignore}")
  _device_coverage_add_report_target(report "${name}" "${manifest}")
  _device_coverage_add_report_target(clean "${name}" "${manifest}")
  # The tests may be added after this call.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _device_coverage_wire_tests
    [==[${name}]==] [==[${profiles}]==] [==[${arg_TESTS}]==])")
endfunction()

function(_device_coverage_manifest_path outFile name)
  get_property(multiConfig GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/device-coverage/${name}")
  if(multiConfig)
    string(APPEND directory "/$<CONFIG>")
  endif()
  set(${outFile} "${directory}/device-coverage.json" PARENT_SCOPE)
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
endfunction()
