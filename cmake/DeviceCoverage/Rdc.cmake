# Relocatable device code (-fgpu-rdc) with LLVM 22: a pass plugin keeps the names of every translation unit
# (plugin/rdc_names.cpp). It is built against the compiler's own LLVM when the first target needs it, since
# few projects do and its headers are large.

# outPlugin: the plugin; outError: why there is none, else empty.
function(_device_coverage_require_rdc_plugin outPlugin outError)
  set(${outError} "" PARENT_SCOPE)
  _device_coverage_get(directory PROBE_DIR)
  set(plugin "${directory}/rdc_names.so")
  if(NOT EXISTS "${plugin}")
    _device_coverage_build_rdc_plugin(error "${plugin}")
    set(${outError} "${error}" PARENT_SCOPE)
  endif()
  set(${outPlugin} "${plugin}" PARENT_SCOPE)
endfunction()

# Builds the plugin and proves it on the probe's kernel; the file gets its name only when it works.
function(_device_coverage_build_rdc_plugin outError plugin)
  foreach(key IN ITEMS MODULE_DIR LLVM_BIN_DIR TOOL_clang++ TARGETS)
    _device_coverage_get(${key} ${key})
  endforeach()
  get_filename_component(includes "${LLVM_BIN_DIR}/../include" ABSOLUTE)
  set(${outError} "" PARENT_SCOPE)
  if(NOT EXISTS "${includes}/llvm/Passes/PassBuilder.h")
    set(${outError} "the compiler's LLVM installation has no headers in `${includes}/llvm`" PARENT_SCOPE)
    return()
  endif()
  _device_coverage_run(error "${TOOL_clang++}" -std=c++17 -O1 -fPIC -shared -fno-rtti -fno-exceptions
    -fvisibility=hidden -isystem "${includes}" "${MODULE_DIR}/plugin/rdc_names.cpp" -o "${plugin}.new")
  if(error STREQUAL "")
    list(GET TARGETS 0 target)
    _device_coverage_prove_rdc_plugin(error "${plugin}.new" ${target})
  endif()
  if(error STREQUAL "")
    file(RENAME "${plugin}.new" "${plugin}")
  else()
    set(${outError} "the compiler takes no pass plugin: ${error}" PARENT_SCOPE)
  endif()
endfunction()

function(_device_coverage_prove_rdc_plugin outError plugin target)
  _device_coverage_get(moduleDir MODULE_DIR)
  _device_coverage_get(directory PROBE_DIR)
  _device_coverage_hip_command(command ${target} -fgpu-rdc -nogpulib --offload-device-only -S -emit-llvm
    -fprofile-instr-generate -fcoverage-mapping -Xarch_device "-fpass-plugin=${plugin}")
  _device_coverage_probe_headers(error ${command} "${moduleDir}/probe/kernel.hip" -o rdc.ll)
  if(error STREQUAL "")
    file(STRINGS "${directory}/rdc.ll" names REGEX "^@__llvm_prf_nm = internal ")
    if(names STREQUAL "")
      set(error "the names keep their linkage")
    endif()
  endif()
  set(${outError} "${error}" PARENT_SCOPE)
endfunction()
