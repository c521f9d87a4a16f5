function(decide)
  cmake_parse_arguments(PARSE_ARGV 0 arg "FAILS" "STDOUT;STDERR;NOT_STDOUT" "")
  set(fails "")
  if(arg_FAILS)
    set(fails FAILS)
  endif()
  check_run("${CMAKE_COMMAND}" "-DSTAGES=${SOURCE_TREE}/cmake/DeviceCoverage" ${arg_UNPARSED_ARGUMENTS}
    -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../projects/decide.cmake" ${fails}
    STDOUT "${arg_STDOUT}" STDERR "${arg_STDERR}" NOT_STDOUT "${arg_NOT_STDOUT}")
endfunction()

# Nothing speaks against it.
decide(-DREQUEST=auto STDOUT "REQUEST=\\[AUTO\\].*-- ENABLED=\\[TRUE\\].*HOST_ENABLED=\\[TRUE\\].*BLOCKER=\\[\\]" NOT_STDOUT "DeviceCoverage:")
decide(-DREQUEST=On STDOUT "REQUEST=\\[ON\\].*-- ENABLED=\\[TRUE\\].*HOST_ENABLED=\\[TRUE\\]")
# OFF is silent, whatever the toolchain is.
decide(-DREQUEST=OFF -DHOST=h STDOUT "-- ENABLED=\\[FALSE\\].*HOST_ENABLED=\\[FALSE\\].*BLOCKER=\\[\\]" NOT_STDOUT "DeviceCoverage:")
# AUTO falls back and says why; the first blocker wins.
decide(-DREQUEST=AUTO -DDEVICE=d
  STDOUT "DeviceCoverage: probe: d; falling back to coverage of host code only; repair it.*-- ENABLED=\\[FALSE\\].*HOST_ENABLED=\\[TRUE\\].*BLOCKER=\\[d; repair it\\]"
  NOT_STDOUT "a later fact")
decide(-DREQUEST=AUTO -DDEVICE=d -DHOST=h
  STDOUT "DeviceCoverage: probe: h; nothing is instrumented; repair it.*HOST_ENABLED=\\[FALSE\\].*BLOCKER=\\[h; repair it\\]")
# ON fails with the reason.
decide(-DREQUEST=ON -DDEVICE=d FAILS STDERR "DeviceCoverage: probe: d; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; repair it")
# What the project rules out comes first.
decide(-DREQUEST=AUTO -DDEVICE=d "-DPROJECT=shared memory is off" STDOUT
  "DeviceCoverage: project: shared memory is off; falling back to coverage of host code only; see the project's documentation")
decide(-DREQUEST=AUTO -DMINIMUM_ROCM=7.15 -DROCM=7.2 STDOUT
  "DeviceCoverage: project: ROCm is 7.2 and the project asks for 7.15 or newer; falling back")
decide(-DREQUEST=AUTO -DMINIMUM_ROCM=7.15 -DROCM=7.15 STDOUT "-- ENABLED=\\[TRUE\\]")
decide(-DREQUEST=ON -DMINIMUM_ROCM=7.15 FAILS STDERR
  "the project asks for ROCm 7.15 or newer and the ROCm version is not known; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled; set DeviceCoverage_ROCM_VERSION")
# Target IDs that fail: left out under AUTO, blockers under ON, the other way on request; never all of them.
set(one_fails "-DTARGETS=gfx90a\\;gfx906" -DLEFT_OUT=gfx906)
set(left_out "DeviceCoverage: probe: no link for gfx906; device code for gfx906 is not measured; repair it")
decide(-DREQUEST=AUTO ${one_fails} STDOUT "${left_out}.*-- ENABLED=\\[TRUE\\].*BLOCKER=\\[\\]")
decide(-DREQUEST=ON ${one_fails} FAILS STDERR "no link for gfx906; ENABLE_DEVICE_COVERAGE=ON cannot be fulfilled")
decide(-DREQUEST=ON -DPARTIAL=ON ${one_fails} STDOUT "${left_out}.*-- ENABLED=\\[TRUE\\]")
decide(-DREQUEST=AUTO -DPARTIAL=OFF ${one_fails} STDOUT "no link for gfx906; falling back.*-- ENABLED=\\[FALSE\\]")
decide(-DREQUEST=AUTO "-DTARGETS=gfx90a;gfx906" "-DLEFT_OUT=gfx906;gfx90a" STDOUT
  "no link for gfx906; falling back.*-- ENABLED=\\[FALSE\\]" NOT_STDOUT "is not measured")
decide(-DREQUEST=AUTO -DDEVICE=d ${one_fails} STDOUT "probe: d; falling back" NOT_STDOUT "gfx906")
# Anything else is an error.
decide(-DREQUEST= FAILS STDERR "policy: ENABLE_DEVICE_COVERAGE is ``; it is not known")
