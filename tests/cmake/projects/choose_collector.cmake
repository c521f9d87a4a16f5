# The choice of the collector alone: cmake -DWANTED=... -DTHEIRS=... -DSTAGES=... -P choose_collector.cmake
cmake_minimum_required(VERSION 3.22)
foreach(stage IN ITEMS State Collector)
  include("${STAGES}/${stage}.cmake")
endforeach()
_device_coverage_choose_collector("${WANTED}" "${THEIRS}")
_device_coverage_get(collector COLLECTOR)
message(STATUS "COLLECTOR=[${collector}]")
