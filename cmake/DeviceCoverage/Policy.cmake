# From the user's request and what is known of the toolchain to a decision.
# Pure: reads and writes facts only, starts no program, needs no compiler (see tests/cmake/policy).

# Stores REQUEST (AUTO, ON or OFF). The request variable itself is never written: a toolchain that is repaired
# later must be judged anew, which a request turned into its own answer would prevent.
function(_device_coverage_read_request variable value)
  string(TOUPPER "${value}" request)
  if(NOT request MATCHES "^(AUTO|ON|OFF)$")
    _device_coverage_message(FATAL_ERROR "policy" "${variable} is `${value}`"
      "it is not known whether coverage is wanted" "set it to AUTO, ON or OFF")
  endif()
  _device_coverage_set(REQUEST "${request}")
  _device_coverage_set(REQUEST_VARIABLE "${variable}")
endfunction()

# Blockers that the project brings: DeviceCoverage_EXTRA_BLOCKERS, sentences of its own, and a least ROCm
# version. They come first, because the project knows best what it supports.
function(_device_coverage_add_project_blockers sentences minimumRocm rocmVersion)
  foreach(sentence IN LISTS sentences)
    _device_coverage_block(PROJECT "project" "${sentence}" "see the project's documentation")
  endforeach()
  if(minimumRocm STREQUAL "")
    return()
  endif()
  if(rocmVersion STREQUAL "")
    _device_coverage_block(PROJECT "project"
      "the project asks for ROCm ${minimumRocm} or newer and the ROCm version is not known"
      "set DeviceCoverage_ROCM_VERSION")
  elseif(rocmVersion VERSION_LESS minimumRocm)
    _device_coverage_block(PROJECT "project"
      "ROCm is ${rocmVersion} and the project asks for ${minimumRocm} or newer" "install a newer ROCm")
  endif()
endfunction()

# What becomes of target IDs that cannot be measured. `partial` is the user's choice: they are left out, each with
# its reason, or they are blockers; empty: they are left out under AUTO and blockers under ON, which promises all.
# Where none is left there is nothing to choose.
function(_device_coverage_judge_targets partial)
  _device_coverage_get(request REQUEST)
  _device_coverage_get(targets TARGETS)
  _device_coverage_get(leftOut LEFT_OUT)
  _device_coverage_unblocked(free DEVICE)
  if(leftOut STREQUAL "" OR NOT free)
    return()
  endif()
  if(partial STREQUAL "" AND request STREQUAL "AUTO")
    set(partial ON)
  endif()
  list(REMOVE_ITEM targets ${leftOut})
  if(NOT partial OR targets STREQUAL "")
    list(GET leftOut 0 target)
    _device_coverage_target_reason(phase fact remedy ${target})
    _device_coverage_block(DEVICE "${phase}" "${fact}" "${remedy}")
    return()
  endif()
  foreach(target IN LISTS leftOut)
    _device_coverage_target_reason(phase fact remedy ${target})
    _device_coverage_message(STATUS "${phase}" "${fact}" "device code for ${target} is not measured" "${remedy}")
  endforeach()
endfunction()

function(_device_coverage_target_reason outPhase outFact outRemedy target)
  foreach(part IN ITEMS Phase Fact Remedy)
    string(TOUPPER ${part} key)
    _device_coverage_get(value "LEFT_OUT_${target}_${key}")
    set(${out${part}} "${value}" PARENT_SCOPE)
  endforeach()
endfunction()

# Turns REQUEST and the blockers into ENABLED (device code is measured), HOST_ENABLED and BLOCKER.
function(_device_coverage_decide)
  _device_coverage_get(request REQUEST)
  _device_coverage_set(ENABLED FALSE)
  _device_coverage_set(HOST_ENABLED FALSE)
  _device_coverage_set(BLOCKER "")
  if(request STREQUAL "OFF")
    return()
  endif()
  _device_coverage_unblocked(hostFree HOST)
  _device_coverage_unblocked(deviceFree DEVICE)
  _device_coverage_set(HOST_ENABLED ${hostFree})
  _device_coverage_set(ENABLED ${deviceFree})
  if(deviceFree)
    return()
  endif()
  set(consequence "falling back to coverage of host code only")
  if(NOT hostFree)
    set(consequence "nothing is instrumented")
  endif()
  _device_coverage_first_blocked(side)
  _device_coverage_report_blocker(${side} "${consequence}")
endfunction()

# The side whose blocker is told: what the project rules out first, then what the toolchain cannot do at all.
function(_device_coverage_first_blocked outSide)
  foreach(side IN ITEMS PROJECT HOST DEVICE)
    _device_coverage_get(fact ${side}_BLOCKER_FACT)
    if(NOT fact STREQUAL "")
      set(${outSide} ${side} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(_device_coverage_report_blocker side consequence)
  foreach(part IN ITEMS PHASE FACT REMEDY)
    _device_coverage_get(${part} ${side}_BLOCKER_${part})
  endforeach()
  _device_coverage_set(BLOCKER "${FACT}; ${REMEDY}")
  _device_coverage_get(request REQUEST)
  if(request STREQUAL "ON")
    _device_coverage_get(variable REQUEST_VARIABLE)
    _device_coverage_message(FATAL_ERROR "${PHASE}" "${FACT}"
      "${variable}=ON cannot be fulfilled" "${REMEDY}")
  endif()
  _device_coverage_message(STATUS "${PHASE}" "${FACT}" "${consequence}" "${REMEDY}")
endfunction()
