# Nothing refers to the drain; a linker with --as-needed drops such libraries in silence.
configure(kernels -DENABLE_DEVICE_COVERAGE=ON
  -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--as-needed -DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed)
build()
foreach(file IN ITEMS libshared.so program)
  check_run("${LLVM_BIN_DIR}/llvm-readelf" -d "${BUILD_DIR}/${file}"
    STDOUT "NEEDED\\) Shared library: \\[libdevice_coverage.so\\]")
endforeach()
