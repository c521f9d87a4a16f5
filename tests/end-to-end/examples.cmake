# The examples beside hip-library, each built as the project of its own that it is.
set(examples_build "${CMAKE_CURRENT_BINARY_DIR}/examples")

add_consumer(hip-language "${PROJECT_SOURCE_DIR}/examples/hip-language" "${examples_build}/hip-language"
  "-DCMAKE_HIP_ARCHITECTURES=${DEVICE_COVERAGE_TEST_ARCHITECTURE}")
add_consumer(rdc "${PROJECT_SOURCE_DIR}/examples/rdc" "${examples_build}/rdc")
add_consumer(code-objects "${PROJECT_SOURCE_DIR}/examples/code-objects" "${examples_build}/code-objects")
add_consumer(custom-device-link "${PROJECT_SOURCE_DIR}/examples/custom-device-link"
  "${examples_build}/custom-device-link" "-DGPU_TARGETS=${DEVICE_COVERAGE_TEST_ARCHITECTURE}\\;gfx908")

configure_file(example_paths.h.in example_paths.h @ONLY)
add_executable(end_to_end_example_tests command.cpp examples_test.cpp measured_run.cpp)
target_include_directories(end_to_end_example_tests PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_BINARY_DIR}")
target_link_libraries(end_to_end_example_tests PRIVATE GTest::gtest_main nlohmann_json::nlohmann_json)
# All work in the build folders of the examples, so two of one example must not run at once.
gtest_discover_tests(end_to_end_example_tests TEST_PREFIX end-to-end. NO_PRETTY_VALUES
  PROPERTIES LABELS end-to-end TIMEOUT 120 RESOURCE_LOCK end-to-end-consumers
  FIXTURES_REQUIRED end-to-end-consumers)
