function(expect_refused call pattern)
  configure(wrong-calls -DENABLE_DEVICE_COVERAGE=ON -DCALL=instrument_${call} FAILS
    STDERR "DeviceCoverage: instrument: ${pattern}")
endfunction()
expect_refused(missing "device_coverage_instrument was given `nowhere`, which is not a target; nothing can be instrumented; call it after add_library or add_executable")
expect_refused(utility "`documents` is an utility and compiles nothing; it cannot be instrumented; name the targets whose sources")
expect_refused(imported "`foreign` is an imported target and compiles nothing")
expect_refused(twice "`program` is instrumented for HOST with EXACT counters already and now asked for BOTH with EXACT counters; its flags would contradict each other; call device_coverage_instrument once")
expect_refused(neither "device_coverage_instrument was given HOST_ONLY and DEVICE_ONLY; nothing is left to instrument; give one of them")
configure(wrong-calls -DENABLE_DEVICE_COVERAGE=ON -DCALL=report_interface FAILS
  STDERR "`headers` is an interface_library and compiles nothing")
expect_refused(excluded "EXCLUDE_SOURCES of `program` names `[^`]+/kernels/main.cpp`; it is no source of theirs and nothing would be excluded; name it as in")
expect_refused(temporaries "`program` is compiled with -save-temps; its device code would not assemble with its coverage map; remove -save-temps or instrument it HOST_ONLY")
configure(wrong-calls -DENABLE_DEVICE_COVERAGE=AUTO -DCALL=instrument_temporaries STDOUT
  "`program` is compiled with -save-temps; its device code is not measured; remove -save-temps")
configure(wrong-calls -DENABLE_DEVICE_COVERAGE=ON -DCALL=install_keyword FAILS
  STDERR "DeviceCoverage: instrument: device_coverage_install_runtime does not know `lib`; the drain would not go where it was meant to; see its reference page")
configure(wrong-calls -DENABLE_DEVICE_COVERAGE=OFF -DCALL=instrument_missing)
