# What an installed instrumented library needs of the package at run time.

#[[
device_coverage_install_runtime([DESTINATION <dir>] [COMPONENT <name>])

Installs the drain, libdevice_coverage.so, which instrumented executables and shared libraries are linked with: those
that are installed find it in the build folder no more.

DESTINATION  where it goes; CMAKE_INSTALL_LIBDIR unless given, or lib. Where instrumented files have no run path to
             that folder, name it in LD_LIBRARY_PATH
COMPONENT    as of install()

Does nothing when device code is not measured, or the toolchain's collector does it. Fails for unknown arguments.
]]
function(device_coverage_install_runtime)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DESTINATION;COMPONENT" "")
  if(arg_UNPARSED_ARGUMENTS)
    _device_coverage_message(FATAL_ERROR "instrument"
      "device_coverage_install_runtime does not know `${arg_UNPARSED_ARGUMENTS}`"
      "the drain would not go where it was meant to" "see its reference page")
  endif()
  _device_coverage_get(library DRAIN_LIBRARY)
  if(library STREQUAL "")
    return()
  endif()
  set(destination lib)
  if(arg_DESTINATION)
    set(destination "${arg_DESTINATION}")
  elseif(CMAKE_INSTALL_LIBDIR)
    set(destination "${CMAKE_INSTALL_LIBDIR}")
  endif()
  set(component "")
  if(arg_COMPONENT)
    set(component COMPONENT "${arg_COMPONENT}")
  endif()
  install(PROGRAMS "${library}" DESTINATION "${destination}" ${component})
  # Installing builds `all`, which need not hold anything that is linked with the drain.
  if(NOT TARGET device-coverage-for-install)
    add_custom_target(device-coverage-for-install ALL)
    add_dependencies(device-coverage-for-install device-coverage-drain)
  endif()
endfunction()
