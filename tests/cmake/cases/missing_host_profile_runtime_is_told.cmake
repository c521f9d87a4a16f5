# Debian and ROCm ship it in a package of its own: everything compiles, and the first program does not link.
make_toolchain()
write_program("${FAKE_BIN_DIR}/clang++" "
case \" $* \" in
*' --version '*) exec '${LLVM_BIN_DIR}/clang++' --version | sed 's,^InstalledDir: .*,InstalledDir: ${FAKE_BIN_DIR},' ;;
*-fprofile-instr-generate*) echo 'ld: error: cannot open libclang_rt.profile.a: No such file or directory' >&2; exit 1 ;;
esac
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON FAILS STDERR
  "DeviceCoverage: probe: `[^`]+` cannot link an instrumented host program: error: cannot open libclang_rt.profile.a: No such file or directory; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; install the compiler's profile runtime")
