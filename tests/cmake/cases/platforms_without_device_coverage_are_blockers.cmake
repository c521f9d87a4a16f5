# An unknown platform, Windows, another processor: host code is measured where it can be, and nothing is an error.
function(expect_blocked system processor sentence)
  file(REMOVE_RECURSE "${BUILD_DIR}")
  configure(no-device-code -DENABLE_DEVICE_COVERAGE=AUTO -DCMAKE_SYSTEM_NAME=${system} -DCMAKE_CXX_COMPILER_WORKS=ON
    -DCMAKE_SYSTEM_PROCESSOR=${processor} STDERR ".*"
    STDOUT "DeviceCoverage: probe: ${sentence}.*-- ENABLED=\\[FALSE\\].*HOST_ENABLED=\\[TRUE\\]")
endfunction()
expect_blocked(Windows x86_64 "the platform is `Windows`; falling back to coverage of host code only; build on Linux")
expect_blocked(Plan9 x86_64 "the platform is `Plan9`; falling back")
expect_blocked(Linux aarch64 "the processor is `aarch64`; falling back to coverage of host code only; build for x86-64")
