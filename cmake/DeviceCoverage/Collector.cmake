# Who reads the counters back: the package's drain, or the collector that compilers bring from LLVM 23 on. Never
# both: a program that links the drain does not get the other one (runtime/drain/toolchain_collector.cpp, and
# runtime/host/offload_registration.c for host code by itself).

# Stores COLLECTOR, DEVICE_COVERAGE or TOOLCHAIN. wanted: what DEVICE_COVERAGE_COLLECTOR says; theirs: the
# compiler's collector, or empty.
function(_device_coverage_choose_collector wanted theirs)
  string(TOUPPER "${wanted}" wanted)
  if(wanted STREQUAL "")
    set(wanted AUTO)
  endif()
  if(NOT wanted MATCHES "^(AUTO|DEVICE_COVERAGE|TOOLCHAIN)$")
    _device_coverage_message(FATAL_ERROR "toolchain" "DEVICE_COVERAGE_COLLECTOR is `${wanted}`"
      "it is not known who is to read the counters back" "set it to AUTO, DEVICE_COVERAGE or TOOLCHAIN")
  elseif(wanted STREQUAL "TOOLCHAIN" AND theirs STREQUAL "")
    _device_coverage_message(FATAL_ERROR "toolchain"
      "DEVICE_COVERAGE_COLLECTOR is TOOLCHAIN and the compiler has no libclang_rt.profile_rocm"
      "nobody would read the counters back" "set it to AUTO")
  endif()
  set(collector DEVICE_COVERAGE)
  set(consequence "it is kept out of the links of what is instrumented, where the package's drain collects")
  set(remedy "set DEVICE_COVERAGE_COLLECTOR=TOOLCHAIN to have it collect instead")
  if(wanted STREQUAL "TOOLCHAIN")
    set(collector TOOLCHAIN)
    set(consequence "it collects, as DEVICE_COVERAGE_COLLECTOR=TOOLCHAIN asks, and the package's drain is not linked")
    set(remedy "set DEVICE_COVERAGE_COLLECTOR=AUTO to keep counters of code that is unloaded before the exit")
  endif()
  if(NOT theirs STREQUAL "")
    _device_coverage_message(STATUS "toolchain" "the compiler brings a collector of device profiles, `${theirs}`"
      "${consequence}" "${remedy}")
  endif()
  _device_coverage_set(COLLECTOR ${collector})
endfunction()

# outLibrary: the compiler's own collector, in either layout of its resource folder; empty when it has none.
function(_device_coverage_find_toolchain_collector outLibrary)
  _device_coverage_get(resourceDir RESOURCE_DIR)
  file(GLOB found "${resourceDir}/lib/linux/libclang_rt.profile_rocm-x86_64*" "${resourceDir}/lib/*/libclang_rt.profile_rocm.*")
  set(${outLibrary} "" PARENT_SCOPE)
  if(found)
    list(GET found 0 library)
    set(${outLibrary} "${library}" PARENT_SCOPE)
  endif()
endfunction()
