# Before project() nothing is known of compiler or platform, and the message must not blame either.
file(WRITE "${WORK_DIR}/source/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.22)
list(APPEND CMAKE_PREFIX_PATH [==[${PREFIX}]==])
find_package(DeviceCoverage REQUIRED)
project(early LANGUAGES CXX)
")
set(fact "DeviceCoverage: toolchain: neither CXX nor HIP is enabled where the package is found")
configure("${WORK_DIR}/source" -DENABLE_DEVICE_COVERAGE=ON FAILS STDERR
  "${fact}; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; call find_package\\(DeviceCoverage\\) after project\\(\\)")
configure("${WORK_DIR}/source" -DENABLE_DEVICE_COVERAGE=AUTO STDOUT "${fact}; nothing is instrumented")
configure("${WORK_DIR}/source" -DENABLE_DEVICE_COVERAGE=OFF)
