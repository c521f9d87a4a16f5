# The option behind COVERED belongs to the compiler's backend: unqualified it would change the host's counters too.
function(expect_counters kind counterBytes)
  set(BUILD_DIR "${WORK_DIR}/${kind}")
  configure(kernels -DENABLE_DEVICE_COVERAGE=ON ${ARGN})
  build(static)
  set(object "${BUILD_DIR}/CMakeFiles/static.dir/kernels.cpp.o")
  check_run("${LLVM_BIN_DIR}/llvm-objcopy" --dump-section=.hip_fatbin=fatbin "${object}" out.o)
  check_run("${LLVM_BIN_DIR}/clang-offload-bundler" --unbundle --type=o --input=fatbin --output=image.elf
    --targets=hipv4-amdgcn-amd-amdhsa--gfx90a)
  check_run("${LLVM_BIN_DIR}/llvm-objcopy" --dump-section=.note.device_coverage=note image.elf out.elf)
  # Behind the note's header, its name and the ABI number.
  file(READ "${WORK_DIR}/note" bytes OFFSET 32 LIMIT 4 HEX)
  expect_equal("counterBytes of ${kind}" "${bytes}" "0${counterBytes}000000")
  check_run("${LLVM_BIN_DIR}/llvm-readelf" -SW image.elf STDOUT "__llvm_prf_cnts PROGBITS [^]]* ${counterBytes} \\[")
  check_run("${LLVM_BIN_DIR}/llvm-readelf" -SW "${object}" STDOUT "__llvm_prf_cnts PROGBITS [^]]* 8 \\[")
endfunction()
expect_counters(EXACT 8)
expect_counters(COVERED 1 "-DSIDES=COUNTERS,COVERED")
expect_counters(covered 1 -DDEVICE_COVERAGE_COUNTERS=covered)
# Headers that the project's flags bring in may have atomics of their own.
file(WRITE "${WORK_DIR}/atomics.h" "#ifdef __HIP__
static inline __attribute__((host, device, used)) int headerCount(int* counter) {
  return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}
#endif
")
expect_counters(headers 1 "-DSIDES=COUNTERS,COVERED" "-DCMAKE_CXX_FLAGS=-include ${WORK_DIR}/atomics.h")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON -DDEVICE_COVERAGE_COUNTERS=most FAILS STDERR
  "DeviceCoverage: instrument: the kind of counters is `most`; device code cannot be instrumented; use EXACT or COVERED")

# A compiler that does not know the option, or has it change the host's counters too.
make_toolchain()
function(write_compiler body)
  write_program("${FAKE_BIN_DIR}/clang++" "
if [ \"$1\" = --version ]; then
  exec '${LLVM_BIN_DIR}/clang++' --version | sed 's,^InstalledDir: .*,InstalledDir: ${FAKE_BIN_DIR},'
fi
for argument; do
  shift
  ${body}
  set -- \"$@\" \"$argument\"
done
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
endfunction()
set(BUILD_DIR "${WORK_DIR}/probed")
set(fact "DeviceCoverage: probe: COVERED counters cannot be had: ")
write_compiler("[ $argument = -enable-single-byte-coverage=true ] && argument=-enable-single-byte-coverage=false")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON -DDEVICE_COVERAGE_COUNTERS=COVERED FAILS STDERR
  "${fact}device counters are not bytes that are set; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; use EXACT counters")
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO -DDEVICE_COVERAGE_COUNTERS=COVERED STDOUT
  "${fact}device counters are not bytes that are set; device code is counted exactly")
if(RUN_OUTPUT MATCHES "cannot be had.*cannot be had")
  fail("the reason is said more than once")
endif()
file(READ "${BUILD_DIR}/compile_commands.json" commands)
check_output("the compile commands" "${commands}" "-fprofile-update=atomic|device_counting[.]h")
write_compiler("[ $argument = -mllvm=-enable-single-byte-coverage=false ] && argument=-DNOTHING")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON -DDEVICE_COVERAGE_COUNTERS=COVERED FAILS STDERR
  "${fact}host counters become bytes as well; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled")
