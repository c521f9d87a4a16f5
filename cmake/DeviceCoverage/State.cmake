# What the stages know, and how they speak.
#
# Facts live in global properties and not in variables: find_package() may run in a subdirectory whose
# variables the directories that later call the public functions never see. `cmake -P` has global properties
# too, so every decision can be tested in script mode.

function(_device_coverage_set key value)
  set_property(GLOBAL PROPERTY "_DEVICE_COVERAGE_${key}" "${value}")
endfunction()

function(_device_coverage_get outVariable key)
  get_property(value GLOBAL PROPERTY "_DEVICE_COVERAGE_${key}")
  set(${outVariable} "${value}" PARENT_SCOPE)
endfunction()

# All messages to the user have one form: `DeviceCoverage: <phase>: <fact>; <consequence>; <what to do>`.
# find_package(... QUIET) silences those that are no errors.
function(_device_coverage_message mode phase fact consequence remedy)
  _device_coverage_get(quiet QUIET)
  if(quiet AND mode STREQUAL "STATUS")
    return()
  endif()
  message(${mode} "DeviceCoverage: ${phase}: ${fact}; ${consequence}; ${remedy}")
endfunction()

# Records why a side cannot be measured. The first blocker wins: what follows it is mostly its consequence.
# `HOST` blocks both sides (no profile can be written or read at all), `DEVICE` only device code; `PROJECT`
# does so too and comes before what the probe found.
function(_device_coverage_block side phase fact remedy)
  _device_coverage_get(known ${side}_BLOCKER_FACT)
  if(known STREQUAL "")
    _device_coverage_set(${side}_BLOCKER_PHASE "${phase}")
    _device_coverage_set(${side}_BLOCKER_FACT "${fact}")
    _device_coverage_set(${side}_BLOCKER_REMEDY "${remedy}")
  endif()
endfunction()

# True when nothing speaks against measuring HOST or DEVICE code so far.
function(_device_coverage_unblocked outVariable side)
  set(speakers HOST)
  if(side STREQUAL "DEVICE")
    set(speakers PROJECT HOST DEVICE)
  endif()
  set(free TRUE)
  foreach(speaker IN LISTS speakers)
    _device_coverage_get(fact ${speaker}_BLOCKER_FACT)
    if(NOT fact STREQUAL "")
      set(free FALSE)
    endif()
  endforeach()
  set(${outVariable} ${free} PARENT_SCOPE)
endfunction()

# Records why one target ID cannot be measured; its first reason wins too.
function(_device_coverage_leave_out target phase fact remedy)
  _device_coverage_is_left_out(known ${target})
  if(known)
    return()
  endif()
  _device_coverage_get(leftOut LEFT_OUT)
  list(APPEND leftOut ${target})
  _device_coverage_set(LEFT_OUT "${leftOut}")
  foreach(part IN ITEMS phase fact remedy)
    string(TOUPPER ${part} key)
    _device_coverage_set("LEFT_OUT_${target}_${key}" "${${part}}")
  endforeach()
endfunction()

function(_device_coverage_is_left_out outVariable target)
  _device_coverage_get(leftOut LEFT_OUT)
  set(${outVariable} FALSE PARENT_SCOPE)
  if("${target}" IN_LIST leftOut)
    set(${outVariable} TRUE PARENT_SCOPE)
  endif()
endfunction()
