# The folders of reports, which must not get into each other's way.

# The folder of an option, absolute, or its default; one for each configuration where a build has several,
# whose counts must not be added up.
function(_device_coverage_directory outDirectory given default)
  set(directory "${given}")
  if(directory STREQUAL "")
    set(directory "${default}")
  endif()
  get_filename_component(directory "${directory}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_property(multiConfig GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multiConfig)
    string(APPEND directory "/$<CONFIG>")
  endif()
  set(${outDirectory} "${directory}" PARENT_SCOPE)
endfunction()

# Two reports in one folder would overwrite each other.
function(_device_coverage_claim_output name output)
  _device_coverage_get(claimed REPORT_OUTPUTS)
  if(output IN_LIST claimed)
    _device_coverage_message(FATAL_ERROR "report" "report `${name}` would go to `${output}`, where another one goes"
      "one would overwrite the other" "give OUTPUT_DIRECTORY")
  endif()
  list(APPEND claimed "${output}")
  _device_coverage_set(REPORT_OUTPUTS "${claimed}")
endfunction()

# Whether a report that cleans by CTest would remove profiles of a folder of another one: its own, or one above that.
function(_device_coverage_folder_holds outHolds outer inner)
  set(${outHolds} FALSE PARENT_SCOPE)
  string(FIND "${inner}/" "${outer}/" position)
  if(position EQUAL 0)
    set(${outHolds} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Reports share profiles where the project says so: a report of all has the folder above those of the others. Not by
# default, as the tests of each would count in the other; nor where ctest cleans for one while the other's tests run.
function(_device_coverage_claim_profiles name profiles given fixtures)
  string(REPLACE "/$<CONFIG>" "" folder "${profiles}")
  _device_coverage_get(others REPORTS)
  foreach(other IN LISTS others)
    foreach(key IN ITEMS FOLDER FIXTURES)
      _device_coverage_get(other${key} "REPORT_${other}_${key}")
    endforeach()
    _device_coverage_folder_holds(holdsOther "${folder}" "${otherFOLDER}")
    _device_coverage_folder_holds(isHeld "${otherFOLDER}" "${folder}")
    if((holdsOther AND fixtures) OR (isHeld AND otherFIXTURES) OR (folder STREQUAL otherFOLDER AND given STREQUAL ""))
      _device_coverage_message(FATAL_ERROR "report"
        "report `${name}` has its profiles in `${folder}` and report `${other}` in `${otherFOLDER}`"
        "what is removed for one would be missing in the other" "give PROFILE_DIRECTORY")
    endif()
  endforeach()
  list(APPEND others "${name}")
  _device_coverage_set(REPORTS "${others}")
  _device_coverage_set("REPORT_${name}_FOLDER" "${folder}")
  _device_coverage_set("REPORT_${name}_FIXTURES" "${fixtures}")
endfunction()

# A test writes its profiles to one folder. Where a second report names it, that must be the same one.
function(_device_coverage_claim_test report kind name)
  _device_coverage_get(profiles "REPORT_${report}_PROFILES")
  set(key "TEST_REPORT_${kind}_${CMAKE_CURRENT_SOURCE_DIR}_${name}")
  _device_coverage_get(other "${key}")
  if(other STREQUAL "")
    _device_coverage_set("${key}" "${report}")
    return()
  endif()
  _device_coverage_get(otherProfiles "REPORT_${other}_PROFILES")
  if(NOT profiles STREQUAL otherProfiles)
    _device_coverage_message(FATAL_ERROR "report" "`${name}` is among the tests of the reports `${other}` and `${report}`"
      "its profiles would be missing in one of them"
      "name it in one, and give the other a PROFILE_DIRECTORY that holds that of the first")
  endif()
endfunction()
