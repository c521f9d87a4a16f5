# A request that is neither AUTO, ON nor OFF must not be taken for one of them (`maybe` is true in if()).
foreach(value IN ITEMS maybe TRUE 1 auto-on)
  configure(kernels -DENABLE_DEVICE_COVERAGE=${value} FAILS STDERR
    "DeviceCoverage: policy: ENABLE_DEVICE_COVERAGE is `${value}`; it is not known whether coverage is wanted; set it to AUTO, ON or OFF")
endforeach()
