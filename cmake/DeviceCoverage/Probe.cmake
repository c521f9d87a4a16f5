# What this toolchain can do, found by really compiling and linking device code.
#
# `-###` and option checks prove nothing here: they succeed with compilers that cannot do it. What the probe
# looks at is what comes out: the sections of the image, its counters' updates, and llvm-cov's verdict.

# What a target ID looks like: gfx90a, gfx9-4-generic, gfx90a:sramecc+:xnack-. The first group is the architecture.
_device_coverage_set(TARGET_ID_FORM "^(gfx[0-9a-f]+(-[0-9]+)?(-generic)?)(:[a-z]+[+-])*$")

# Stores FLAGS: the flags with which the project compiles HIP code, as a list. Flags with generator
# expressions are left out, since nothing can be known of them at configure time.
function(_device_coverage_collect_flags)
  _device_coverage_get(language LANGUAGE)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${config}}")
  get_directory_property(options COMPILE_OPTIONS)
  list(FILTER options EXCLUDE REGEX "\\$<")
  foreach(option IN LISTS options)
    if(option MATCHES "^SHELL:(.*)")
      separate_arguments(option UNIX_COMMAND "${CMAKE_MATCH_1}")
    endif()
    list(APPEND flags ${option})
  endforeach()
  _device_coverage_set(FLAGS "${flags}")
  separate_arguments(linkFlags UNIX_COMMAND "${CMAKE_EXE_LINKER_FLAGS}")
  _device_coverage_set(LINK_FLAGS "${linkFlags}")
endfunction()

# Stores NAMED_TARGETS: the target IDs in the variables and flags by which HIP projects name them (`native` and
# its like name none), and TARGETS: those to probe, which are never none.
function(_device_coverage_collect_targets)
  _device_coverage_get(flags FLAGS)
  set(targets "${DeviceCoverage_TARGETS}")
  if(NOT targets)
    set(targets "${CMAKE_HIP_ARCHITECTURES};${GPU_TARGETS};${AMDGPU_TARGETS}")
  endif()
  foreach(flag IN LISTS flags)
    if(flag MATCHES "^--(offload|cuda-gpu)-arch=(.+)")
      string(REPLACE "," ";" named "${CMAKE_MATCH_2}")
      list(APPEND targets ${named})
    endif()
  endforeach()
  _device_coverage_get(form TARGET_ID_FORM)
  list(FILTER targets INCLUDE REGEX "${form}")
  list(REMOVE_DUPLICATES targets)
  _device_coverage_set(NAMED_TARGETS "${targets}")
  if(targets STREQUAL "")
    set(targets gfx90a)
  endif()
  _device_coverage_set(TARGETS "${targets}")
endfunction()

# Runs one command of the probe and appends it and what it said to the probe's log.
# outError: empty when it went well, else its first error line.
function(_device_coverage_run outError)
  _device_coverage_get(directory PROBE_DIR)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${directory}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REPLACE ";" " " command "${ARGN}")
  file(APPEND "${directory}/probe.log" "${command}\n${output}\n[${status}]\n\n")
  set(error "")
  if(NOT status EQUAL 0)
    set(error "it ended with `${status}`")
    if(output MATCHES "(error: [^\r\n]+)")
      string(REPLACE ";" "," error "${CMAKE_MATCH_1}")
    endif()
  endif()
  set(${outError} "${error}" PARENT_SCOPE)
endfunction()

# The project's compiler as the project calls it for one target ID, launcher included: a launcher that loses
# arguments (ccache drops `-Xarch_` pairs) then shows here and not as 0 % after the tests.
function(_device_coverage_hip_command outCommand target)
  foreach(key IN ITEMS LANGUAGE COMPILER FLAGS)
    _device_coverage_get(${key} ${key})
  endforeach()
  set(${outCommand} ${CMAKE_${LANGUAGE}_COMPILER_LAUNCHER} "${COMPILER}" ${FLAGS} -Wno-error -x hip
    --no-offload-arch=all "--offload-arch=${target}" -fno-gpu-rdc --no-offload-new-driver
    --no-offload-compress ${ARGN} PARENT_SCOPE)
endfunction()

function(_device_coverage_block_probe side fact remedy)
  _device_coverage_get(directory PROBE_DIR)
  _device_coverage_block(${side} "probe" "${fact}" "${remedy} (all commands: `${directory}/probe.log`)")
endfunction()

# Host side: do the options for host code reach the compiler, which a launcher that loses them prevents, and does an
# instrumented program link, that is, has the compiler its host profile runtime?
function(_device_coverage_probe_host)
  foreach(key IN ITEMS LANGUAGE COMPILER FLAGS LINK_FLAGS MODULE_DIR PROBE_DIR)
    _device_coverage_get(${key} ${key})
  endforeach()
  _device_coverage_options(compile link HOST EXACT "" "")
  _device_coverage_run(error ${CMAKE_${LANGUAGE}_COMPILER_LAUNCHER} "${COMPILER}" ${FLAGS} -Wno-error -x c++ ${compile}
    -c "${MODULE_DIR}/probe/host.cpp" -o host.o)
  if(error STREQUAL "")
    file(STRINGS "${PROBE_DIR}/host.o" map REGEX "^__llvm_covmap$")
    if(map STREQUAL "")
      _device_coverage_block_probe(HOST "host code compiled by `${COMPILER}` has no coverage map"
        "use a compiler, and a compiler launcher, that respects -Xarch_host flags")
      return()
    endif()
    _device_coverage_run(error "${COMPILER}" ${FLAGS} -Wno-error host.o ${link} ${LINK_FLAGS} -o host)
  endif()
  if(NOT error STREQUAL "")
    _device_coverage_block_probe(HOST
      "`${COMPILER}` cannot link an instrumented host program: ${error}"
      "install the compiler's profile runtime (libclang_rt.profile)")
  endif()
endfunction()

# Fills in the facts of Toolchain.cmake and of this file, from the last configure where nothing changed.
function(_device_coverage_probe)
  _device_coverage_has_language(hasLanguage)
  _device_coverage_has_usable_folders(hasFolders)
  if(NOT hasLanguage OR NOT hasFolders)
    return()
  endif()
  _device_coverage_find_languages()
  _device_coverage_collect_flags()
  _device_coverage_collect_targets()
  _device_coverage_open_facts(known)
  if(known)
    return()
  endif()
  _device_coverage_find_toolchain()
  _device_coverage_unblocked(free HOST)
  if(free)
    _device_coverage_probe_host()
    _device_coverage_probe_device()
  endif()
  _device_coverage_save_facts()
endfunction()
