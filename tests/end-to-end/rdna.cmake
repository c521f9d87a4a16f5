# Exact counts once more on an RDNA processor, whose waves have 32 lanes.

function(add_rdna_tests)
  set(DEVICE_COVERAGE_TEST_ARCHITECTURE gfx1030)
  set(exact_counts_build "${CMAKE_CURRENT_BINARY_DIR}/rdna/exact-counts")
  set(scratch "${CMAKE_CURRENT_BINARY_DIR}/rdna/scratch")
  add_consumer(rdna "${CMAKE_CURRENT_SOURCE_DIR}/exact-counts" "${exact_counts_build}")
  set_tests_properties(end-to-end.build-rdna PROPERTIES LABELS "end-to-end;slow" FIXTURES_SETUP end-to-end-rdna)

  configure_file(paths.h.in rdna/include/paths.h @ONLY)
  add_executable(end_to_end_rdna_tests command.cpp exact_counts_test.cpp expected_counts.cpp measured_run.cpp)
  target_include_directories(end_to_end_rdna_tests PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_BINARY_DIR}/rdna/include")
  target_link_libraries(end_to_end_rdna_tests PRIVATE GTest::gtest_main nlohmann_json::nlohmann_json)
  add_test(NAME end-to-end.rdna COMMAND end_to_end_rdna_tests)
  set_tests_properties(end-to-end.rdna PROPERTIES LABELS "end-to-end;slow" TIMEOUT 300
    FIXTURES_REQUIRED end-to-end-rdna)
endfunction()

if(DEVICE_COVERAGE_TEST_SIMULATED) # a real GPU is of another kind
  add_rdna_tests()
endif()
