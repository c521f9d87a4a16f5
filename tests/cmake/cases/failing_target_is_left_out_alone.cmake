# One architecture that the toolchain cannot do must not cost the coverage of the others, and under ON not pass
# for measured. The compiler here refuses gfx906's device link of instrumented code.
make_toolchain()
write_program("${FAKE_BIN_DIR}/clang++" "
case \" $* \" in
*' --version '*) exec '${LLVM_BIN_DIR}/clang++' --version | sed 's,^InstalledDir: .*,InstalledDir: ${FAKE_BIN_DIR},' ;;
*' -Xarch_gfx906 -fno-profile-instr-generate '*) ;;
*--offload-arch=gfx906*device_runtime.a*)
  echo 'lld: error: cannot select the runtime' >&2; exit 1 ;;
esac
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
set(targets "-DGPU_TARGETS=gfx90a\\;gfx906")
set(fact "DeviceCoverage: probe: an instrumented kernel does not link for gfx906: error: cannot select the runtime")

function(expect_image architecture instrumented)
  check_run("${LLVM_BIN_DIR}/llvm-objcopy" --dump-section=.hip_fatbin=fatbin "${BUILD_DIR}/libshared.so" out.so)
  check_run("${LLVM_BIN_DIR}/clang-offload-bundler" --unbundle --type=o --input=fatbin --output=image.elf
    --targets=hipv4-amdgcn-amd-amdhsa--${architecture})
  if(instrumented)
    expect_names("${WORK_DIR}/image.elf" .note.device_coverage __llvm_prf_cnts __llvm_covmap)
  else()
    expect_no_names("${WORK_DIR}/image.elf" __llvm_prf_cnts __llvm_covmap)
  endif()
endfunction()

configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO ${targets} STDOUT
  "${fact}; device code for gfx906 is not measured; use the lld.* host and device code \\(gfx90a\\) are measured")
build()
expect_image(gfx90a TRUE)
expect_image(gfx906 FALSE)
file(READ "${BUILD_DIR}/device-coverage/kernels/device-coverage.json" manifest)
string(JSON target GET "${manifest}" device_coverage left_out 0 target)
expect_equal("what the manifest says is left out" "${target}" gfx906)
string(JSON reason GET "${manifest}" device_coverage left_out 0 reason)
check_output("its reason" "${reason}" "does not link for gfx906: .*; use the lld")

# ON promises all; who wants less says so. AUTO can be told that it is all or nothing.
configure(kernels -DENABLE_DEVICE_COVERAGE=ON ${targets} FAILS
  STDERR "${fact}; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; use the lld")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON -DDEVICE_COVERAGE_PARTIAL=ON ${targets}
  STDOUT "${fact}; device code for gfx906 is not measured")
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO -DDEVICE_COVERAGE_PARTIAL=OFF ${targets}
  STDOUT "${fact}; falling back to coverage of host code only")

# What does not even build beside the others cannot be left out.
write_program("${FAKE_BIN_DIR}/clang++" "
case \" $* \" in
*' --version '*) exec '${LLVM_BIN_DIR}/clang++' --version | sed 's,^InstalledDir: .*,InstalledDir: ${FAKE_BIN_DIR},' ;;
*--offload-arch=gfx906*device_runtime.a*) echo 'lld: error: cannot select the runtime' >&2; exit 1 ;;
esac
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO -DDEVICE_COVERAGE_PARTIAL=ON ${targets}
  STDOUT "${fact}; falling back to coverage of host code only")
