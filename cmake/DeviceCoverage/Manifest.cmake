# The manifest (docs/architecture.md): all that `device-coverage report` needs, written when the build system is
# generated.

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

# The entries of `objects` for files.
function(_device_coverage_json_files outEntries kind)
  set(entries "")
  foreach(path IN LISTS ARGN)
    _device_coverage_json_string(path "${path}")
    list(APPEND entries "{\"path\": ${path}, \"kind\": \"${kind}\"}")
  endforeach()
  set(${outEntries} "${entries}" PARENT_SCOPE)
endfunction()

# The target IDs that the probe left out, as `left_out` of the manifest's `device_coverage`.
function(_device_coverage_json_left_out outJson)
  _device_coverage_get(leftOut LEFT_OUT)
  set(entries "")
  set(separator "")
  foreach(target IN LISTS leftOut)
    _device_coverage_target_reason(phase fact remedy ${target})
    _device_coverage_json_string(reason "${fact}; ${remedy}")
    string(APPEND entries "${separator}{\"target\": \"${target}\", \"reason\": ${reason}}")
    set(separator ", ")
  endforeach()
  set(${outJson} "[${entries}]" PARENT_SCOPE)
endfunction()

# The manifest's `objects`, with generator expressions where only generation knows the path.
function(_device_coverage_json_objects outJson report)
  foreach(key IN ITEMS REPORT_${report}_TARGETS REPORT_${report}_HOST_OBJECTS REPORT_${report}_CODE_OBJECTS
          COMMON_HOST_OBJECTS COMMON_CODE_OBJECTS)
    _device_coverage_get(${key} ${key})
  endforeach()
  set(entries "")
  foreach(target IN LISTS REPORT_${report}_TARGETS)
    get_target_property(type ${target} TYPE)
    set(path "$<TARGET_FILE:${target}>")
    if(type STREQUAL "OBJECT_LIBRARY")
      set(path "$<JOIN:$<TARGET_OBJECTS:${target}>,\", \"kind\": \"host\"},\n    {\"path\": \">")
    endif()
    list(APPEND entries "{\"path\": \"${path}\", \"kind\": \"host\"}")
  endforeach()
  _device_coverage_json_files(hostFiles host ${REPORT_${report}_HOST_OBJECTS} ${COMMON_HOST_OBJECTS})
  _device_coverage_json_files(codeObjects code_object ${REPORT_${report}_CODE_OBJECTS} ${COMMON_CODE_OBJECTS})
  list(APPEND entries ${hostFiles} ${codeObjects})
  list(JOIN entries ",\n    " entries)
  set(${outJson} "[\n    ${entries}\n  ]" PARENT_SCOPE)
endfunction()

# Writes the manifest of a report. Runs at the end of the whole project, since code objects may be added to a
# report from anywhere.
function(_device_coverage_write_manifest report)
  foreach(key IN ITEMS IGNORE OUTPUT PROFILES SOURCE_DIR BINARY_DIR MANIFEST)
    _device_coverage_get(${key} "REPORT_${report}_${key}")
  endforeach()
  foreach(key IN ITEMS TOOL_llvm-profdata TOOL_llvm-cov LLVM_VERSION BLOCKER ENABLED)
    _device_coverage_get(${key} ${key})
  endforeach()
  set(enabled false)
  if(ENABLED)
    set(enabled true)
  endif()
  _device_coverage_json_objects(objects "${report}")
  _device_coverage_json_left_out(leftOut)
  foreach(text IN ITEMS report PROFILES OUTPUT TOOL_llvm-profdata TOOL_llvm-cov LLVM_VERSION BLOCKER
          SOURCE_DIR BINARY_DIR)
    _device_coverage_json_string(${text} "${${text}}")
  endforeach()
  _device_coverage_json_strings(ignore ${IGNORE})
  file(GENERATE OUTPUT "${MANIFEST}" CONTENT "{
  \"format\": \"device-coverage-manifest\",
  \"version\": 1,
  \"report\": ${report},
  \"source_directory\": ${SOURCE_DIR},
  \"build_directory\": ${BINARY_DIR},
  \"profile_directory\": ${PROFILES},
  \"output_directory\": ${OUTPUT},
  \"tools\": {
    \"llvm_profdata\": ${TOOL_llvm-profdata},
    \"llvm_cov\": ${TOOL_llvm-cov},
    \"llvm_version\": ${LLVM_VERSION}
  },
  \"device_coverage\": {\"enabled\": ${enabled}, \"blocker\": ${BLOCKER}, \"left_out\": ${leftOut}},
  \"objects\": ${objects},
  \"ignore\": ${ignore}
}
")
endfunction()
