function(choose)
  cmake_parse_arguments(PARSE_ARGV 0 arg "FAILS" "STDOUT;STDERR;NOT_STDOUT" "")
  set(fails "")
  if(arg_FAILS)
    set(fails FAILS)
  endif()
  check_run("${CMAKE_COMMAND}" "-DSTAGES=${SOURCE_TREE}/cmake/DeviceCoverage" ${arg_UNPARSED_ARGUMENTS}
    -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../projects/choose_collector.cmake" ${fails}
    STDOUT "${arg_STDOUT}" STDERR "${arg_STDERR}" NOT_STDOUT "${arg_NOT_STDOUT}")
endfunction()

# Where the compiler has none there is nothing to say.
choose(-DWANTED= -DTHEIRS= STDOUT "COLLECTOR=\\[DEVICE_COVERAGE\\]" NOT_STDOUT "DeviceCoverage:")
# Where it has one, the drain is taken unless the other is asked for; either way it is said.
choose(-DWANTED=auto -DTHEIRS=profile_rocm.a STDOUT
  "the compiler brings a collector of device profiles, `profile_rocm.a`; it is kept out of the links .*COLLECTOR=\\[DEVICE_COVERAGE\\]")
choose(-DWANTED=TOOLCHAIN -DTHEIRS=profile_rocm.a STDOUT
  "`profile_rocm.a`; it collects, as DEVICE_COVERAGE_COLLECTOR=TOOLCHAIN asks, and the package's drain is not linked; .*COLLECTOR=\\[TOOLCHAIN\\]")
# What cannot be is refused.
choose(-DWANTED=TOOLCHAIN -DTHEIRS= FAILS STDERR
  "DEVICE_COVERAGE_COLLECTOR is TOOLCHAIN and the compiler has no libclang_rt.profile_rocm; nobody would read the counters back; set it to AUTO")
choose(-DWANTED=both -DTHEIRS=profile_rocm.a FAILS STDERR
  "DEVICE_COVERAGE_COLLECTOR is `BOTH`; it is not known who is to read the counters back; set it to AUTO, DEVICE_COVERAGE or TOOLCHAIN")
