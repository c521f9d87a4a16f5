# The flags themselves, for targets (Instrument.cmake) and for custom commands (DeviceLink.cmake), from one
# place: compile and link flags that come from two places end in objects that are instrumented and have no
# runtime.

# What any device compile is told about exact, 64-bit counters, as one option that is added to atomically: LLVM
# before 23 has a flag for it. From 23 on code calls the runtime for each counter, and asks it first whether this
# work-group is to be sampled; the header defines both functions, so that they are inlined in each kind of link.
function(_device_coverage_exact_option outOption)
  foreach(key IN ITEMS LLVM_VERSION RUNTIME_SOURCE_DIR)
    _device_coverage_get(${key} ${key})
  endforeach()
  set(option -fprofile-update=atomic)
  if(LLVM_VERSION VERSION_GREATER_EQUAL 23)
    # In one word, which is all that -Xarch_ takes.
    set(option "-include${RUNTIME_SOURCE_DIR}/include/device_coverage/device_counting.h")
  endif()
  set(${outOption} "${option}" PARENT_SCOPE)
endfunction()

# What the device compiler is told about counters where it compiles for the host as well. COVERED: one byte that
# is set; clang has this as an option of its backend, which must not reach the device linker (it refuses it), hence
# -Xclang, and must not reach host code, hence the -Xarch_host that ends it.
function(_device_coverage_counter_options outOptions counters)
  _device_coverage_exact_option(exact)
  set(options -Xarch_device "${exact}")
  if(counters STREQUAL "COVERED")
    set(options -Xclang -mllvm -Xclang -enable-single-byte-coverage=true
      -Xarch_host -mllvm=-enable-single-byte-coverage=false)
  endif()
  set(${outOptions} "${options}" PARENT_SCOPE)
endfunction()

# What ends the debug options of device code, of which the last one counts: it must stand behind the project's own. Full
# debug information beside coverage maps has made libraries whose device code passes 2 GiB, where launches fail.
function(_device_coverage_debug_options outOptions)
  set(options "")
  if(DEVICE_COVERAGE_DEBUG_INFO)
    string(TOUPPER "${DEVICE_COVERAGE_DEBUG_INFO}" kind)
    if(kind STREQUAL "LINE_TABLES")
      set(options -gline-tables-only)
    elseif(NOT kind STREQUAL "UNCHANGED")
      _device_coverage_message(FATAL_ERROR "instrument" "DEVICE_COVERAGE_DEBUG_INFO is `${DEVICE_COVERAGE_DEBUG_INFO}`"
        "it is not known how much debug information device code is to have" "use UNCHANGED or LINE_TABLES")
    endif()
  endif()
  set(${outOptions} "${options}" PARENT_SCOPE)
endfunction()

# The link of the device image, wherever the driver does it: in the compile step for ordinary code, in the
# link step for relocatable device code.
function(_device_coverage_image_options outOptions archive)
  set(${outOptions} -Xoffload-linker "${archive}" -Xoffload-linker --build-id=sha1 PARENT_SCOPE)
endfunction()

# All compile and link options of a kind of instrumentation, as plain lists.
# sides: HOST, DEVICE or BOTH; plugin: see Rdc.cmake, may be empty.
function(_device_coverage_options outCompile outLink sides counters archive plugin)
  set(map -fprofile-instr-generate -fcoverage-mapping)
  if(sides STREQUAL "HOST")
    set(${outCompile} -Xarch_host -fprofile-instr-generate -Xarch_host -fcoverage-mapping PARENT_SCOPE)
    set(${outLink} -fprofile-instr-generate PARENT_SCOPE)
    return()
  endif()
  set(link "")
  if(sides STREQUAL "BOTH")
    set(link -fprofile-instr-generate)
  else()
    set(map -Xarch_device -fprofile-instr-generate -Xarch_device -fcoverage-mapping)
  endif()
  _device_coverage_counter_options(counterOptions ${counters})
  _device_coverage_image_options(image "${archive}")
  _device_coverage_debug_options(debug)
  list(TRANSFORM debug PREPEND "-Xarch_device;")
  set(pass "")
  if(NOT plugin STREQUAL "")
    set(pass -Xarch_device "-fpass-plugin=${plugin}")
  endif()
  _device_coverage_left_out_options(end)
  set(${outCompile} ${map} ${counterOptions} ${debug} ${pass} ${image} ${end} PARENT_SCOPE)
  set(${outLink} ${link} ${image} PARENT_SCOPE)
endfunction()

# Ends the instrumentation of the target IDs that the probe left out. Clang takes such flags for the full target ID;
# a compile that is not for it does not use them.
function(_device_coverage_left_out_options outOptions)
  _device_coverage_get(leftOut LEFT_OUT)
  set(options "")
  foreach(target IN LISTS leftOut)
    list(APPEND options "-Xarch_${target}" -fno-profile-instr-generate "-Xarch_${target}" -fno-coverage-mapping)
  endforeach()
  if(NOT options STREQUAL "")
    set(options --start-no-unused-arguments ${options} --end-no-unused-arguments)
  endif()
  set(${outOptions} "${options}" PARENT_SCOPE)
endfunction()

# Ends instrumentation that other flags have begun: of device code, or of a source altogether.
function(_device_coverage_end_options outOptions sides)
  set(options -Xarch_device -fno-profile-instr-generate -Xarch_device -fno-coverage-mapping)
  if(sides STREQUAL "BOTH")
    list(PREPEND options -fno-profile-instr-generate -fno-coverage-mapping)
  endif()
  set(${outOptions} ${options} PARENT_SCOPE)
endfunction()

# A list of options as one option of a target. One SHELL: group, because CMake removes repeated options one
# by one and would tear the pairs apart; between --start- and --end-no-unused-arguments, because a target may
# have plain C++ sources beside its device code, and projects compile with -Werror.
function(_device_coverage_option_group outOption)
  set(group "SHELL:--start-no-unused-arguments")
  foreach(option IN LISTS ARGN)
    string(APPEND group " \"${option}\"")
  endforeach()
  set(${outOption} "${group} --end-no-unused-arguments" PARENT_SCOPE)
endfunction()
