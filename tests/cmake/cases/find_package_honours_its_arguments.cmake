# QUIET, components, versions, and why a package is not found.
configure(find -DENABLE_DEVICE_COVERAGE=ON "-DARGUMENTS=QUIET" NOT_STDOUT "DeviceCoverage: policy" STDOUT "found=1")
configure(find -DENABLE_DEVICE_COVERAGE=OFF "-DARGUMENTS=0.1" STDOUT "found=1")
configure(find -DENABLE_DEVICE_COVERAGE=OFF "-DARGUMENTS=99" STDOUT "found=0" STDERR ".*")
configure(find -DENABLE_DEVICE_COVERAGE=OFF "-DARGUMENTS=REQUIRED,COMPONENTS,Runtime,Report" STDOUT "found=1")
configure(find -DENABLE_DEVICE_COVERAGE=OFF "-DARGUMENTS=REQUIRED,COMPONENTS,Debugger" FAILS STDERR
  "DeviceCoverage: package: this installation has no component `Debugger`; what needs it cannot be built; install it, or ask for Runtime, Report or Simulator only")
configure(find -DENABLE_DEVICE_COVERAGE=OFF "-DARGUMENTS=OPTIONAL_COMPONENTS,Debugger" STDOUT "found=1")
