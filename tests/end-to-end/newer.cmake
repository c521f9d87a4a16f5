# Exact counts once more with LLVM 23, which counts in another way, and HIP and ROCr 7.2.

set(rocm_root "${DEVICE_COVERAGE_DEBIAN_ROOTS}/rocm-7.2")
set(llvm_root "${DEVICE_COVERAGE_DEBIAN_ROOTS}/llvm-23")
set(toolchain "${CMAKE_CURRENT_SOURCE_DIR}/newer/toolchain.cmake")
set(newer_build "${CMAKE_CURRENT_BINARY_DIR}/newer")

add_consumer(llvm-23 "${CMAKE_CURRENT_SOURCE_DIR}/exact-counts" "${newer_build}/exact-counts"
  "-DROCM_ROOT=${rocm_root}" "-DLLVM_ROOT=${llvm_root}")
set_tests_properties(end-to-end.build-llvm-23 PROPERTIES LABELS "end-to-end;slow" SKIP_REGULAR_EXPRESSION "SKIPPED:"
  FIXTURES_REQUIRED "end-to-end-prefix;debian-root.rocm-7.2;debian-root.llvm-23"
  FIXTURES_SETUP end-to-end-llvm-23)

set(exact_counts_build "${newer_build}/exact-counts")
set(scratch "${newer_build}/scratch")
set(llvm_bin "${llvm_root}/usr/lib/llvm-23/bin")
configure_file(paths.h.in newer/include/paths.h @ONLY)
add_executable(end_to_end_llvm_23_tests
  command.cpp exact_counts_test.cpp expected_counts.cpp measured_run.cpp newer/unpacked_packages.cpp)
target_include_directories(end_to_end_llvm_23_tests PRIVATE
  "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_BINARY_DIR}/newer/include")
target_compile_definitions(end_to_end_llvm_23_tests PRIVATE "ROCM_ROOT=\"${rocm_root}\"" "LLVM_ROOT=\"${llvm_root}\"")
target_link_libraries(end_to_end_llvm_23_tests PRIVATE GTest::gtest_main nlohmann_json::nlohmann_json)
add_test(NAME end-to-end.llvm-23 COMMAND end_to_end_llvm_23_tests)
set_tests_properties(end-to-end.llvm-23 PROPERTIES LABELS "end-to-end;slow" TIMEOUT 600
  FIXTURES_REQUIRED end-to-end-llvm-23 SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
