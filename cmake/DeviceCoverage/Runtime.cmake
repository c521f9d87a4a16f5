# The device runtime and the drain, built in the consumer's build by the consumer's own clang: profile
# layouts then always fit the compiler in use, and one installed package serves every LLVM.
#
# They are built by custom commands and not as targets, because CMAKE_CXX_FLAGS (sanitizers, -Werror,
# another standard library) are meant for the project's code.

# Stores RUNTIME_KEY, a hash of all runtime sources.
function(_device_coverage_hash_runtime)
  _device_coverage_get(runtime RUNTIME_SOURCE_DIR)
  file(GLOB_RECURSE files LIST_DIRECTORIES false "${runtime}/include/*.h"
    "${runtime}/device/*.c" "${runtime}/device/*.h" "${runtime}/host/*.c" "${runtime}/drain/*.cpp"
    "${runtime}/drain/*.h")
  set(hashes "")
  foreach(file IN LISTS files)
    file(SHA1 "${file}" hash)
    string(APPEND hashes ${hash})
  endforeach()
  string(SHA1 key "${hashes}")
  _device_coverage_set(RUNTIME_KEY ${key})
  _device_coverage_set(RUNTIME_FILES "${files}")
endfunction()

# Stores RUNTIME_DIR. Its name changes with runtime and compiler, and with it the command line of whatever
# names the archive: so all device code is rebuilt when the runtime changes, which no generator would do for
# a file that is only named in an option.
function(_device_coverage_name_runtime_dir)
  foreach(key IN ITEMS RUNTIME_KEY LLVM_VERSION TOOL_clang BINARY_DIR)
    _device_coverage_get(${key} ${key})
  endforeach()
  string(SHA1 hash "${RUNTIME_KEY} ${LLVM_VERSION} ${TOOL_clang}")
  string(SUBSTRING ${hash} 0 12 hash)
  _device_coverage_set(RUNTIME_DIR "${BINARY_DIR}/runtime/${hash}")
endfunction()

# The command that compiles the device runtime, without its `-o <output>`.
# form: `-emit-llvm` or `-mcpu=<architecture>`; counterBytes: 8 or 1.
function(_device_coverage_device_runtime_command outCommand version form counterBytes)
  _device_coverage_get(runtime RUNTIME_SOURCE_DIR)
  _device_coverage_get(clang TOOL_clang)
  set(${outCommand} "${clang}" --target=amdgcn-amd-amdhsa -nogpulib -ffreestanding -O2
    "-mcode-object-version=${version}" ${form} "-DDEVICE_COVERAGE_COUNTER_BYTES=${counterBytes}"
    -I "${runtime}/include" -c "${runtime}/device/device_runtime.c" PARENT_SCOPE)
endfunction()

# Provides the device runtime as an archive: bitcode for all architectures of one code-object version, or
# for `architecture` an ELF object, which is what lld takes without LTO. counters: EXACT or COVERED.
# outFile: the archive; outTarget: the target that builds it.
function(_device_coverage_require_archive outFile outTarget version architecture counters)
  set(name "cov${version}")
  set(form -emit-llvm)
  set(counterBytes 8)
  if(counters STREQUAL "COVERED")
    string(APPEND name "-covered")
    set(counterBytes 1)
  endif()
  if(NOT architecture STREQUAL "")
    string(APPEND name "-${architecture}")
    set(form "-mcpu=${architecture}")
  endif()
  foreach(key IN ITEMS RUNTIME_DIR RUNTIME_FILES TOOL_clang TOOL_llvm-ar)
    _device_coverage_get(${key} ${key})
  endforeach()
  set(archive "${RUNTIME_DIR}/device_runtime-${name}.a")
  set(target "device-coverage-runtime-${name}")
  set(${outFile} "${archive}" PARENT_SCOPE)
  set(${outTarget} "${target}" PARENT_SCOPE)
  if(TARGET ${target})
    return()
  endif()
  _device_coverage_device_runtime_command(compile "${version}" "${form}" ${counterBytes})
  set(object "${RUNTIME_DIR}/device_runtime-${name}.o")
  add_custom_command(OUTPUT "${archive}"
    COMMAND ${compile} -o "${object}"
    COMMAND "${CMAKE_COMMAND}" -E rm -f "${archive}"
    COMMAND "${TOOL_llvm-ar}" rcs "${archive}" "${object}"
    DEPENDS ${RUNTIME_FILES} "${TOOL_clang}"
    BYPRODUCTS "${object}"
    COMMENT "Building the device runtime (${name})" VERBATIM)
  add_custom_target(${target} DEPENDS "${archive}")
endfunction()

# The host compiler as the drain is compiled: the project's platform, but none of its flags. The clang++ behind the
# project's compiler, where it is not missing (which blocks device code alone).
function(_device_coverage_drain_compiler outCommand)
  _device_coverage_get(command TOOL_clang++)
  _device_coverage_get(language LANGUAGE)
  if(command STREQUAL "")
    _device_coverage_get(command COMPILER)
  endif()
  if(CMAKE_SYSROOT)
    list(APPEND command "--sysroot=${CMAKE_SYSROOT}")
  endif()
  if(CMAKE_${language}_COMPILER_TARGET)
    list(APPEND command "--target=${CMAKE_${language}_COMPILER_TARGET}")
  endif()
  if(CMAKE_${language}_COMPILER_EXTERNAL_TOOLCHAIN)
    list(APPEND command "--gcc-toolchain=${CMAKE_${language}_COMPILER_EXTERNAL_TOOLCHAIN}")
  endif()
  set(${outCommand} ${command} PARENT_SCOPE)
endfunction()

# One object of the drain.
function(_device_coverage_compile_drain_source outObject source)
  foreach(key IN ITEMS RUNTIME_DIR RUNTIME_SOURCE_DIR TOOL_clang++)
    _device_coverage_get(${key} ${key})
  endforeach()
  _device_coverage_drain_compiler(compiler)
  get_filename_component(name "${source}" NAME_WE)
  set(object "${RUNTIME_DIR}/drain/${name}.o")
  add_custom_command(OUTPUT "${object}"
    COMMAND ${compiler} -std=c++17 -O2 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti
            -I "${RUNTIME_SOURCE_DIR}/include" -I "${RUNTIME_SOURCE_DIR}/drain"
            -MMD -MF "${object}.d" -c "${source}" -o "${object}"
    DEPENDS "${source}" "${TOOL_clang++}" DEPFILE "${object}.d"
    COMMENT "Building the drain: ${name}" VERBATIM)
  set(${outObject} "${object}" PARENT_SCOPE)
endfunction()

# The drain itself. `--exclude-libs` and hidden visibility keep it from offering its symbols to instrumented
# executables; `nodelete` keeps it mapped when ROCr closes its tools, since HIP calls its hooks later still.
function(_device_coverage_link_drain outLibrary)
  foreach(key IN ITEMS RUNTIME_DIR RUNTIME_SOURCE_DIR BINARY_DIR)
    _device_coverage_get(${key} ${key})
  endforeach()
  file(GLOB sources "${RUNTIME_SOURCE_DIR}/drain/*.cpp")
  set(objects "")
  foreach(source IN LISTS sources)
    _device_coverage_compile_drain_source(object "${source}")
    list(APPEND objects "${object}")
  endforeach()
  file(MAKE_DIRECTORY "${RUNTIME_DIR}/drain")
  _device_coverage_drain_compiler(compiler)
  set(library "${BINARY_DIR}/lib/libdevice_coverage.so")
  file(MAKE_DIRECTORY "${BINARY_DIR}/lib")
  add_custom_command(OUTPUT "${library}"
    COMMAND ${compiler} -nostdlib++ -shared -Wl,-z,nodelete -Wl,-z,defs -Wl,-soname,libdevice_coverage.so
            -Wl,--exclude-libs,ALL ${objects} -ldl -o "${library}"
    DEPENDS ${objects}
    COMMENT "Linking the drain libdevice_coverage.so" VERBATIM)
  add_custom_target(device-coverage-drain DEPENDS "${library}")
  set(${outLibrary} "${library}" PARENT_SCOPE)
endfunction()

# Stores REGISTRATION_OBJECT, what instrumented HIP host code of LLVM 23 refers to (offload_registration.c); older
# LLVMs, and the toolchain's collector, need nothing of it.
function(_device_coverage_provide_registration)
  foreach(key IN ITEMS RUNTIME_DIR RUNTIME_SOURCE_DIR LLVM_VERSION COLLECTOR)
    _device_coverage_get(${key} ${key})
  endforeach()
  if(LLVM_VERSION VERSION_LESS 23 OR COLLECTOR STREQUAL "TOOLCHAIN")
    return()
  endif()
  set(source "${RUNTIME_SOURCE_DIR}/host/offload_registration.c")
  set(object "${RUNTIME_DIR}/offload_registration.o")
  _device_coverage_drain_compiler(compiler)
  add_custom_command(OUTPUT "${object}" COMMAND ${compiler} -x c -O2 -fPIC -c "${source}" -o "${object}"
    DEPENDS "${source}" COMMENT "Building the registration of device profiles" VERBATIM)
  add_custom_target(device-coverage-registration DEPENDS "${object}")
  _device_coverage_set(REGISTRATION_OBJECT "${object}")
endfunction()

# The option that keeps the drain in a link. Nothing in the program refers to it, so a linker with --as-needed would
# drop it in silence; named as an option as well, it stays.
function(_device_coverage_keep_option outOption library)
  set(${outOption} "SHELL:-Wl,--push-state,--no-as-needed \"${library}\" -Wl,--pop-state" PARENT_SCOPE)
endfunction()

# DeviceCoverage::runtime is for the project: a program whose host code is not instrumented links it, a test
# preloads its file. Instrumented targets get the same library by its path (LinkRuntime.cmake).
function(_device_coverage_provide_runtime)
  _device_coverage_get(runtime RUNTIME_SOURCE_DIR)
  _device_coverage_get(files RUNTIME_FILES)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  _device_coverage_get(collector COLLECTOR)
  if(collector STREQUAL "TOOLCHAIN")
    _device_coverage_set(DRAIN_LIBRARY "")
    _device_coverage_provide_disabled_runtime()
    return()
  endif()
  _device_coverage_link_drain(library)
  _device_coverage_set(DRAIN_LIBRARY "${library}")
  add_library(DeviceCoverage::runtime SHARED IMPORTED GLOBAL)
  add_dependencies(DeviceCoverage::runtime device-coverage-drain)
  _device_coverage_keep_option(keep "${library}")
  set_target_properties(DeviceCoverage::runtime PROPERTIES
    INTERFACE_LINK_OPTIONS "${keep}"
    IMPORTED_LOCATION "${library}"
    IMPORTED_SONAME libdevice_coverage.so
    INTERFACE_INCLUDE_DIRECTORIES "${runtime}/include")
endfunction()

# The same target when device code is not measured, or drained by the toolchain, for projects that call the drain by name: device_coverage.h
# then defines its functions as inline no-ops.
function(_device_coverage_provide_disabled_runtime)
  _device_coverage_get(runtime RUNTIME_SOURCE_DIR)
  add_library(DeviceCoverage::runtime INTERFACE IMPORTED GLOBAL)
  set_target_properties(DeviceCoverage::runtime PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${runtime}/include"
    INTERFACE_COMPILE_DEFINITIONS DEVICE_COVERAGE_DISABLED)
endfunction()
