# ccache 4.11 drops `-Xarch_<side> <argument>` without a word; the first sign would be racy counts, or host code that
# is called measured and has no counters.
function(write_launcher pattern)
  write_program("${WORK_DIR}/launcher" "
for argument; do
  shift
  if [ \"$skip\" ]; then skip=; continue; fi
  case $argument in ${pattern}) skip=1 ;; *) set -- \"$@\" \"$argument\" ;; esac
done
exec \"$@\"")
endfunction()
set(launcher "-DCMAKE_CXX_COMPILER_LAUNCHER=${WORK_DIR}/launcher")
write_launcher("-Xarch_*")
set(fact "DeviceCoverage: probe: host code compiled by `[^`]+` has no coverage map")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON ${launcher} FAILS STDERR
  "${fact}; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; use a compiler, and a compiler launcher, that respects -Xarch_host flags")
configure(kernels -DENABLE_DEVICE_COVERAGE=AUTO ${launcher} STDOUT "${fact}; nothing is instrumented")
write_launcher("-Xarch_device")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON ${launcher} FAILS STDERR
  "DeviceCoverage: probe: device counters are not updated atomically for gfx90a; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; use a compiler, and a compiler launcher, that respects -Xarch_device -fprofile-update=atomic")
# One that is upgraded in place to a version with the fault.
write_launcher("none")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON ${launcher} STDOUT "can do it")
write_launcher("-Xarch_device")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON ${launcher} FAILS STDERR "not updated atomically")
