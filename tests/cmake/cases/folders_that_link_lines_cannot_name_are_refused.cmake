# Such builds go well without coverage, and with it ended in errors of linkers that say nothing of the cause; a `%` would
# even be replaced in the names of profiles.
foreach(character IN ITEMS "," "%" "$")
  set(BUILD_DIR "${WORK_DIR}/a${character}b")
  configure(no-device-code -DENABLE_DEVICE_COVERAGE=AUTO STDOUT
    "DeviceCoverage: toolchain: the folder `[^`]+` has the character `[${character}]` in its name; nothing is instrumented; build, and install the package, in folders whose names")
  build()
endforeach()
