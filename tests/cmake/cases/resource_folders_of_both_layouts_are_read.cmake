# LLVM is built with its runtime libraries in lib/linux, their names ending in the architecture, or in lib/<triple>.
# Both are made of the real ones here, with a collector beside them.
execute_process(COMMAND "${LLVM_BIN_DIR}/clang++" -print-resource-dir
  OUTPUT_VARIABLE real OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${LLVM_BIN_DIR}/clang++" -print-target-triple
  OUTPUT_VARIABLE triple OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(GLOB profile "${real}/lib/linux/libclang_rt.profile-x86_64.a" "${real}/lib/${triple}/libclang_rt.profile.a")
list(GET profile 0 profile)
make_toolchain()

# layout: folder below lib; suffix: what names end in
function(check_layout layout suffix)
  set(resource "${WORK_DIR}/resource-${suffix}")
  set(libraries "${resource}/lib/${layout}")
  file(MAKE_DIRECTORY "${libraries}")
  file(CREATE_LINK "${real}/include" "${resource}/include" SYMBOLIC)
  file(CREATE_LINK "${profile}" "${libraries}/libclang_rt.profile${suffix}.a" SYMBOLIC)
  file(WRITE "${libraries}/libclang_rt.profile_rocm${suffix}.a" "!<arch>\n")
  write_program("${FAKE_BIN_DIR}/clang++" "
if [ \"$1\" = --version ]; then
  exec '${LLVM_BIN_DIR}/clang++' --version | sed 's,^InstalledDir: .*,InstalledDir: ${FAKE_BIN_DIR},'
fi
exec '${LLVM_BIN_DIR}/clang++' -resource-dir '${resource}' \"$@\"")
  set(BUILD_DIR "${WORK_DIR}/build${suffix}")
  configure(no-device-code -DENABLE_DEVICE_COVERAGE=ON STDOUT
    "a collector of device profiles, `${libraries}/libclang_rt.profile_rocm${suffix}.a`; it is kept out of .*HOST_ENABLED=\\[TRUE\\]")
endfunction()

check_layout(linux -x86_64)
check_layout("${triple}" "")
