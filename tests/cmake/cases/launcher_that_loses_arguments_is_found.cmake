# ccache 4.11 drops `-Xarch_<side> <argument>` without a word; the first sign would be racy counts.
write_program("${WORK_DIR}/launcher" "
for argument; do
  shift
  if [ \"$skip\" ]; then skip=; continue; fi
  case $argument in -Xarch_*) skip=1 ;; *) set -- \"$@\" \"$argument\" ;; esac
done
exec \"$@\"")
configure(kernels -DENABLE_DEVICE_COVERAGE=ON "-DCMAKE_CXX_COMPILER_LAUNCHER=${WORK_DIR}/launcher" FAILS STDERR
  "DeviceCoverage: probe: device counters are not updated atomically for gfx90a; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; use a compiler, and a compiler launcher, that respects -Xarch_device -fprofile-update=atomic")
