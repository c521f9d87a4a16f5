# Defines `amdgpu-disassembler`: LLVM's AMDGPU disassembler, linked statically so that it cannot meet
# another LLVM that the program under test brings along (comgr, HIP's runtime compiler).
# Result depends on LLVM_CONFIG, a cache variable that names llvm-config of LLVM 22 or later.

find_program(
  LLVM_CONFIG
  NAMES llvm-config-22 llvm-config
  HINTS /usr/lib/llvm-22/bin
  DOC "llvm-config of the LLVM whose AMDGPU disassembler the simulator links")

# Runs llvm-config and splits its answer into a list.
function(_device_coverage_llvm_config output)
  execute_process(
    COMMAND "${LLVM_CONFIG}" ${ARGN}
    OUTPUT_VARIABLE answer
    ERROR_VARIABLE error
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " arguments)
    message(FATAL_ERROR "DeviceCoverage: configure: `${LLVM_CONFIG} ${arguments}` failed (${result}): ${error}; "
                        "the simulator cannot be built; install llvm-22-dev or set LLVM_CONFIG")
  endif()
  separate_arguments(answer UNIX_COMMAND "${answer}")
  set(${output} "${answer}" PARENT_SCOPE)
endfunction()

if(NOT LLVM_CONFIG)
  message(FATAL_ERROR "DeviceCoverage: configure: no llvm-config was found; the simulator cannot be built; "
                      "install llvm-22-dev or set LLVM_CONFIG")
endif()

_device_coverage_llvm_config(version --version)
if(version VERSION_LESS 22)
  message(FATAL_ERROR "DeviceCoverage: configure: `${LLVM_CONFIG}` is of LLVM ${version}; the simulator needs 22 "
                      "or later; install llvm-22-dev or set LLVM_CONFIG")
endif()

_device_coverage_llvm_config(includes --includedir)
_device_coverage_llvm_config(libraries --link-static --libfiles amdgpudisassembler amdgpudesc
                             amdgpuinfo mcdisassembler)
_device_coverage_llvm_config(system_libraries --link-static --system-libs)

add_library(amdgpu-disassembler INTERFACE)
target_include_directories(amdgpu-disassembler SYSTEM INTERFACE ${includes})
# Only what is referenced: most of LLVM's system libraries serve other parts of it.
target_link_libraries(amdgpu-disassembler INTERFACE ${libraries} -Wl,--push-state,--as-needed
                                                    ${system_libraries} -Wl,--pop-state)
