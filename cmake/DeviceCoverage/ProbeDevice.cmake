# The device side of the probe, for each target ID: does a kernel compile, count exactly, link with the device
# runtime, and keep its coverage map?

# Stores CODE_OBJECT_VERSION, from the IR of the project's own compile; proves that counters are
# updated by atomics, and by nothing that the device runtime would have to be called for: what is not
# inlined costs each kernel a stack.
function(_device_coverage_probe_counters target)
  _device_coverage_counter_options(counting EXACT)
  _device_coverage_hip_command(command ${target} -nogpulib --offload-device-only -S -emit-llvm
    -fprofile-instr-generate -fcoverage-mapping ${counting})
  _device_coverage_get(moduleDir MODULE_DIR)
  _device_coverage_probe_headers(error ${command}
    "${moduleDir}/probe/kernel.hip" -o kernel.ll)
  if(NOT error STREQUAL "")
    _device_coverage_fail_target(${target} "an instrumented kernel does not compile for ${target}: ${error}"
      "use a compiler that builds HIP code, or correct the flags")
    return()
  endif()
  _device_coverage_get(directory PROBE_DIR)
  file(STRINGS "${directory}/kernel.ll" lines
    REGEX "amdhsa_code_object_version|amdgpu_code_object_version|atomicrmw|call [^@]*@__llvm_profile_")
  if(NOT lines MATCHES "(amdhsa|amdgpu)_code_object_version[^;]* i32 ([0-9]+)00")
    _device_coverage_fail_target(${target} "the compiler states no code-object version for ${target}"
      "use a clang of LLVM 15 or newer")
    return()
  endif()
  _device_coverage_set(CODE_OBJECT_VERSION "${CMAKE_MATCH_2}")
  if(NOT lines MATCHES "atomicrmw")
    list(JOIN counting " " counting)
    _device_coverage_fail_target(${target} "device counters are not updated atomically for ${target}"
      "use a compiler, and a compiler launcher, that respects ${counting}")
  elseif(lines MATCHES "@(__llvm_profile_[a-z_]*gpu)")
    _device_coverage_fail_target(${target}
      "device code for ${target} counts by calling ${CMAKE_MATCH_1} in a way that is not known"
      "use a compiler that the package's reference names")
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

# Builds the device runtime as the consumer's build will, for the code-object version found; one serves all
# target IDs.
function(_device_coverage_probe_runtime)
  foreach(key IN ITEMS PROBE_DIR CODE_OBJECT_VERSION TOOL_llvm-ar)
    _device_coverage_get(${key} ${key})
  endforeach()
  if(EXISTS "${PROBE_DIR}/device_runtime.a")
    return()
  endif()
  _device_coverage_device_runtime_command(compile "${CODE_OBJECT_VERSION}" "-emit-llvm" 8)
  _device_coverage_run(error ${compile} -o device_runtime.bc)
  if(error STREQUAL "")
    _device_coverage_run(error "${TOOL_llvm-ar}" rcs device_runtime.a device_runtime.bc)
  endif()
  if(NOT error STREQUAL "")
    _device_coverage_block_probe(DEVICE "the device runtime does not compile: ${error}"
      "install the amdgcn target and the headers of the compiler's LLVM")
  endif()
endfunction()

# Compiles and links a device image, and has its sections and its coverage map examined.
function(_device_coverage_probe_image target)
  _device_coverage_counter_options(counting EXACT)
  _device_coverage_hip_command(command ${target} -nogpulib --offload-device-only --no-gpu-bundle-output
    -Xarch_device -fprofile-instr-generate -Xarch_device -fcoverage-mapping ${counting} -Xoffload-linker device_runtime.a
    -Xoffload-linker --build-id=sha1)
  _device_coverage_get(moduleDir MODULE_DIR)
  _device_coverage_probe_headers(error ${command}
    "${moduleDir}/probe/kernel.hip" -c -o kernel.elf)
  if(NOT error STREQUAL "")
    _device_coverage_fail_target(${target} "an instrumented kernel does not link for ${target}: ${error}"
      "use the lld of the compiler's own LLVM")
    return()
  endif()
  _device_coverage_get(directory PROBE_DIR)
  file(STRINGS "${directory}/kernel.elf" names REGEX "^(__llvm_prf_|__llvm_cov|\\.note\\.device_coverage)")
  foreach(section IN ITEMS __llvm_prf_names __llvm_prf_cnts __llvm_prf_data
          __llvm_covmap __llvm_covfun .note.device_coverage)
    if(NOT section IN_LIST names)
      _device_coverage_fail_target(${target} "a device image for ${target} has no section ${section}"
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
    _device_coverage_fail_target(${target} "llvm-cov does not read the coverage map for ${target}: ${error}"
      "use the llvm-cov of the compiler's own LLVM")
  endif()
endfunction()

# Notes why a target ID cannot be measured; the policy decides what follows.
function(_device_coverage_fail_target target fact remedy)
  _device_coverage_get(directory PROBE_DIR)
  _device_coverage_leave_out(${target} "probe" "${fact}" "${remedy} (all commands: `${directory}/probe.log`)")
endfunction()

# A target ID can be left out only if it builds in one command with those that are not: the device runtime is named
# to every device link.
function(_device_coverage_prove_left_out target)
  _device_coverage_get(directory PROBE_DIR)
  _device_coverage_unblocked(free DEVICE)
  if(NOT free OR NOT EXISTS "${directory}/device_runtime.a")
    return()
  endif()
  _device_coverage_options(compile link DEVICE EXACT device_runtime.a "")
  _device_coverage_hip_command(command ${target} -nogpulib --offload-device-only --no-gpu-bundle-output ${compile})
  _device_coverage_get(moduleDir MODULE_DIR)
  _device_coverage_probe_headers(error ${command} "${moduleDir}/probe/kernel.hip" -c -o left_out.elf)
  if(NOT error STREQUAL "")
    _device_coverage_target_reason(phase fact remedy ${target})
    _device_coverage_block(DEVICE "${phase}" "${fact}" "${remedy}")
  endif()
endfunction()

# What no target ID can do without.
function(_device_coverage_probe_platform)
  _device_coverage_get(resourceDir RESOURCE_DIR)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    _device_coverage_block(DEVICE "probe" "the platform is `${CMAKE_SYSTEM_NAME}`" "build on Linux")
  elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|)$")
    _device_coverage_block(DEVICE "probe" "the processor is `${CMAKE_SYSTEM_PROCESSOR}`" "build for x86-64")
  elseif(NOT EXISTS "${resourceDir}/include/profile/InstrProfData.inc")
    _device_coverage_block(DEVICE "probe"
      "the compiler's headers `${resourceDir}/include` have no profile/InstrProfData.inc"
      "install the headers of the compiler's own runtime library (compiler-rt)")
  endif()
endfunction()

function(_device_coverage_probe_device)
  _device_coverage_probe_platform()
  _device_coverage_get(targets TARGETS)
  foreach(target IN LISTS targets)
    foreach(step IN ITEMS counters runtime image)
      _device_coverage_unblocked(free DEVICE)
      _device_coverage_is_left_out(failed ${target})
      if(NOT free OR failed)
        break()
      elseif(step STREQUAL "runtime")
        _device_coverage_probe_runtime()
      else()
        cmake_language(CALL _device_coverage_probe_${step} ${target})
      endif()
    endforeach()
    _device_coverage_is_left_out(failed ${target})
    if(failed)
      _device_coverage_prove_left_out(${target})
    endif()
  endforeach()
endfunction()
