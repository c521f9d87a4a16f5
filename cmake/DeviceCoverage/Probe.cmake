# What this toolchain can do, found by really compiling and linking device code.
#
# `-###` and option checks prove nothing here: they succeed with compilers that cannot do it. What the probe
# looks at is what comes out: the sections of the image, its counters' updates, and llvm-cov's verdict.

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
      list(APPEND targets "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  list(FILTER targets INCLUDE REGEX "^gfx[0-9a-f]+(:[a-z]+[+-])*$")
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

# Host side: does an instrumented program link, that is, has the compiler its host profile runtime?
function(_device_coverage_probe_host)
  foreach(key IN ITEMS LANGUAGE COMPILER FLAGS LINK_FLAGS)
    _device_coverage_get(${key} ${key})
  endforeach()
  _device_coverage_get(moduleDir MODULE_DIR)
  _device_coverage_run(error "${COMPILER}" ${FLAGS} -Wno-error -x c++ "${moduleDir}/probe/host.cpp"
    -fprofile-instr-generate -fcoverage-mapping ${LINK_FLAGS} -o host)
  if(NOT error STREQUAL "")
    _device_coverage_block_probe(HOST
      "`${COMPILER}` cannot link an instrumented host program: ${error}"
      "install the compiler's profile runtime (libclang_rt.profile)")
  endif()
endfunction()

# Stores CODE_OBJECT_VERSION, from the IR of the project's own compile; proves that counters are
# updated by atomics.
function(_device_coverage_probe_counters target)
  _device_coverage_hip_command(command ${target} -nogpulib --offload-device-only -S -emit-llvm
    -fprofile-instr-generate -fcoverage-mapping -Xarch_device -fprofile-update=atomic)
  _device_coverage_get(moduleDir MODULE_DIR)
  _device_coverage_probe_headers(error ${command}
    "${moduleDir}/probe/kernel.hip" -o kernel.ll)
  if(NOT error STREQUAL "")
    _device_coverage_block_probe(DEVICE "an instrumented kernel does not compile for ${target}: ${error}"
      "use a compiler that builds HIP code, or correct the flags")
    return()
  endif()
  _device_coverage_get(directory PROBE_DIR)
  file(STRINGS "${directory}/kernel.ll" lines
    REGEX "amdhsa_code_object_version|amdgpu_code_object_version|atomicrmw")
  if(NOT lines MATCHES "(amdhsa|amdgpu)_code_object_version[^;]* i32 ([0-9]+)00")
    _device_coverage_block_probe(DEVICE "the compiler states no code-object version for ${target}"
      "use a clang of LLVM 15 or newer")
    return()
  endif()
  _device_coverage_set(CODE_OBJECT_VERSION "${CMAKE_MATCH_2}")
  if(NOT lines MATCHES "atomicrmw")
    _device_coverage_block_probe(DEVICE "device counters are not updated atomically for ${target}"
      "use a compiler, and a compiler launcher, that respects -Xarch_device -fprofile-update=atomic")
  endif()
endfunction()

# Compiles as the project does. A compiler that finds no HIP headers or device libraries by these flags gets
# them from the targets later (hip::device, an own include folder): the kernel does without them.
function(_device_coverage_probe_headers outError)
  _device_coverage_get(extra HIP_FLAGS)
  _device_coverage_run(error ${ARGN} ${extra})
  if(NOT error STREQUAL "" AND extra STREQUAL "")
    _device_coverage_set(HIP_FLAGS "-nogpuinc")
    _device_coverage_run(second ${ARGN} -nogpuinc)
    if(second STREQUAL "")
      set(error "")
    else()
      _device_coverage_set(HIP_FLAGS "")
    endif()
  endif()
  set(${outError} "${error}" PARENT_SCOPE)
endfunction()

# Builds the device runtime as the consumer's build will, for the code-object version found.
function(_device_coverage_probe_runtime)
  foreach(key IN ITEMS PROBE_DIR CODE_OBJECT_VERSION TOOL_llvm-ar)
    _device_coverage_get(${key} ${key})
  endforeach()
  _device_coverage_device_runtime_command(compile "${CODE_OBJECT_VERSION}" "-emit-llvm" 8)
  _device_coverage_run(error ${compile} -o device_runtime.bc)
  if(error STREQUAL "")
    file(REMOVE "${PROBE_DIR}/device_runtime.a")
    _device_coverage_run(error "${TOOL_llvm-ar}" rcs device_runtime.a device_runtime.bc)
  endif()
  if(NOT error STREQUAL "")
    _device_coverage_block_probe(DEVICE "the device runtime does not compile: ${error}"
      "install the amdgcn target and the headers of the compiler's LLVM")
  endif()
endfunction()

# Compiles and links a device image, and has its sections and its coverage map examined.
function(_device_coverage_probe_image target)
  _device_coverage_hip_command(command ${target} -nogpulib --offload-device-only --no-gpu-bundle-output
    -Xarch_device -fprofile-instr-generate -Xarch_device -fcoverage-mapping
    -Xarch_device -fprofile-update=atomic -Xoffload-linker device_runtime.a
    -Xoffload-linker --build-id=sha1)
  _device_coverage_get(moduleDir MODULE_DIR)
  _device_coverage_probe_headers(error ${command}
    "${moduleDir}/probe/kernel.hip" -c -o kernel.elf)
  if(NOT error STREQUAL "")
    _device_coverage_block_probe(DEVICE "an instrumented kernel does not link for ${target}: ${error}"
      "use the lld of the compiler's own LLVM")
    return()
  endif()
  _device_coverage_get(directory PROBE_DIR)
  file(STRINGS "${directory}/kernel.elf" names REGEX "^(__llvm_prf_|__llvm_cov|\\.note\\.device_coverage)")
  foreach(section IN ITEMS __llvm_prf_names __llvm_prf_cnts __llvm_prf_data
          __llvm_covmap __llvm_covfun .note.device_coverage)
    if(NOT section IN_LIST names)
      _device_coverage_block_probe(DEVICE "a device image for ${target} has no section ${section}"
        "use a compiler, and a compiler launcher, that respects -Xarch_device flags")
      return()
    endif()
  endforeach()
  _device_coverage_probe_map(${target})
endfunction()

function(_device_coverage_probe_map target)
  _device_coverage_get(cov TOOL_llvm-cov)
  _device_coverage_run(error "${cov}" export -summary-only -empty-profile kernel.elf)
  if(NOT error STREQUAL "")
    _device_coverage_block_probe(DEVICE "llvm-cov does not read the coverage map for ${target}: ${error}"
      "use the llvm-cov of the compiler's own LLVM")
  endif()
endfunction()

function(_device_coverage_probe_device)
  _device_coverage_get(resourceDir RESOURCE_DIR)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    _device_coverage_block(DEVICE "probe" "the platform is `${CMAKE_SYSTEM_NAME}`" "build on Linux")
  elseif(NOT EXISTS "${resourceDir}/include/profile/InstrProfData.inc")
    _device_coverage_block(DEVICE "probe"
      "the compiler's headers `${resourceDir}/include` have no profile/InstrProfData.inc"
      "install the headers of the compiler's own runtime library (compiler-rt)")
  endif()
  _device_coverage_get(targets TARGETS)
  foreach(target IN LISTS targets)
    foreach(step IN ITEMS counters runtime image)
      _device_coverage_unblocked(free DEVICE)
      if(free AND step STREQUAL "runtime")
        _device_coverage_probe_runtime()
      elseif(free)
        cmake_language(CALL _device_coverage_probe_${step} ${target})
      endif()
    endforeach()
  endforeach()
endfunction()

# Fills in the facts of Toolchain.cmake and of this file, from the last configure where nothing changed.
function(_device_coverage_probe)
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
