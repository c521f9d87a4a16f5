# What the cases are written in. Each case is a script: `cmake -D... -P run_case.cmake` gives it the variables
#   CASE           its name
#   WORK_DIR       a folder of its own, empty at the start
#   PREFIX         where the package is installed; BUILD_TREE: its build tree; SOURCE_TREE: its sources
#   HIPCC          where set, the compiler of all steps
#   GENERATOR, LLVM_BIN_DIR, HOST_COMPILER (a compiler that is not clang), TOOLCHAIN_FILE (of a HIP installation)
# As in Kitware's RunCMake, a step must succeed with an empty stderr unless the case says otherwise.

set(BUILD_DIR "${WORK_DIR}/build")

function(fail text)
  message(FATAL_ERROR "${CASE}: ${text}")
endfunction()

# CMake breaks long messages into lines, so patterns are matched with all white space made one space.
function(check_output stream text pattern)
  string(REGEX REPLACE "[ \t\r\n]+" " " flat "${text}")
  if(pattern STREQUAL "" AND stream STREQUAL "stderr" AND NOT flat MATCHES "^ ?$")
    fail("stderr is not empty:\n${text}")
  elseif(NOT flat MATCHES "${pattern}")
    fail("${stream} does not match `${pattern}`:\n${text}")
  endif()
endfunction()

# check_run(<command>... [FAILS] [STDOUT <regex>] [STDERR <regex>] [NOT_STDOUT <regex>])
function(check_run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "FAILS" "STDOUT;STDERR;NOT_STDOUT;DIRECTORY" "")
  if(NOT arg_DIRECTORY)
    set(arg_DIRECTORY "${WORK_DIR}")
  endif()
  execute_process(COMMAND ${arg_UNPARSED_ARGUMENTS} WORKING_DIRECTORY "${arg_DIRECTORY}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(arg_FAILS AND status EQUAL 0)
    fail("it was expected to fail:\n${output}")
  elseif(NOT arg_FAILS AND NOT status EQUAL 0)
    fail("it ended with ${status}:\n${output}\n${errors}")
  endif()
  check_output(stdout "${output}" "${arg_STDOUT}")
  check_output(stderr "${errors}" "${arg_STDERR}")
  if(arg_NOT_STDOUT AND output MATCHES "${arg_NOT_STDOUT}")
    fail("stdout holds `${CMAKE_MATCH_0}`")
  endif()
  set(RUN_OUTPUT "${output}" PARENT_SCOPE)
endfunction()

# configure(<project> [<option>...] [FAILS] [STDOUT ...] [STDERR ...]): a project of projects/, or a path. The package
# comes from PACKAGE_FROM: installed (default), build-tree, added, fetched or none.
function(configure project)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAILS" "STDOUT;STDERR;NOT_STDOUT" "")
  get_filename_component(source "${project}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/projects")
  if(NOT PACKAGE_FROM)
    set(PACKAGE_FROM installed)
  endif()
  if(HIPCC)
    set(COMPILER_OPTION "-DCMAKE_CXX_COMPILER=${HIPCC}")
  elseif(NOT COMPILER_OPTION)
    set(COMPILER_OPTION "-DCMAKE_CXX_COMPILER=${LLVM_BIN_DIR}/clang++")
  endif()
  set(fails "")
  if(arg_FAILS)
    set(fails FAILS)
  endif()
  check_run("${CMAKE_COMMAND}" -S "${source}" -B "${BUILD_DIR}" -G "${GENERATOR}"
    -Werror=dev --warn-uninitialized --no-warn-unused-cli
    "-DCMAKE_CXX_FLAGS_INIT=-Wall -Wextra -Werror" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    "-DPACKAGE_FROM=${PACKAGE_FROM}" "-DPACKAGE_SOURCE_TREE=${SOURCE_TREE}"
    "-DPACKAGE_BUILD_TREE=${BUILD_TREE}" "-DPACKAGE_PREFIX=${PREFIX}" ${COMPILER_OPTION}
    ${arg_UNPARSED_ARGUMENTS} ${fails} STDOUT "${arg_STDOUT}" STDERR "${arg_STDERR}" NOT_STDOUT "${arg_NOT_STDOUT}")
  set(RUN_OUTPUT "${RUN_OUTPUT}" PARENT_SCOPE)
endfunction()

# build([<target>] [FAILS] [STDOUT <regex>] [STDERR <regex>] [NOT_STDOUT <regex>])
function(build)
  cmake_parse_arguments(PARSE_ARGV 0 arg "FAILS" "STDOUT;STDERR;NOT_STDOUT" "")
  set(fails "")
  if(arg_FAILS)
    set(fails FAILS)
  endif()
  set(target "")
  if(arg_UNPARSED_ARGUMENTS)
    set(target --target ${arg_UNPARSED_ARGUMENTS})
  endif()
  check_run("${CMAKE_COMMAND}" --build "${BUILD_DIR}" --parallel 2 ${target} ${fails}
    STDOUT "${arg_STDOUT}" STDERR "${arg_STDERR}" NOT_STDOUT "${arg_NOT_STDOUT}")
  set(RUN_OUTPUT "${RUN_OUTPUT}" PARENT_SCOPE)
endfunction()

function(expect_equal what actual expected)
  if(NOT actual STREQUAL expected)
    fail("${what} is `${actual}`, not `${expected}`")
  endif()
endfunction()

# The value of a cache entry of the configured project.
function(expect_cache variable expected)
  file(STRINGS "${BUILD_DIR}/CMakeCache.txt" lines REGEX "^${variable}:")
  string(REGEX REPLACE "^[^=]*=" "" value "${lines}")
  expect_equal("the cache entry ${variable}" "${value}" "${expected}")
endfunction()

# The lines of all compile and link commands in one string, for comparing two builds of one folder.
function(read_commands outText)
  file(READ "${BUILD_DIR}/compile_commands.json" text)
  # What is linked, with which values, and the rules that these values go into.
  foreach(file IN ITEMS build.ninja CMakeFiles/rules.ninja)
    file(STRINGS "${BUILD_DIR}/${file}" lines
      REGEX "^  (LINK_|FLAGS|DEFINES|INCLUDES|TARGET_FILE|command =)|^build .*LINKER|^rule ")
    foreach(line IN LISTS lines)
      string(APPEND text "${line}\n")
    endforeach()
  endforeach()
  set(${outText} "${text}" PARENT_SCOPE)
endfunction()

# Which of the names a file holds, as sections and symbols are held: between NUL bytes.
function(find_names outFound file)
  list(JOIN ARGN "|" regex)
  string(REPLACE "." "\\." regex "${regex}")
  file(STRINGS "${file}" found REGEX "^(${regex})$")
  list(REMOVE_DUPLICATES found)
  set(${outFound} "${found}" PARENT_SCOPE)
endfunction()

function(expect_names file)
  find_names(found "${file}" ${ARGN})
  foreach(name IN LISTS ARGN)
    if(NOT name IN_LIST found)
      fail("${file} does not hold `${name}`")
    endif()
  endforeach()
endfunction()

function(expect_no_names file)
  find_names(found "${file}" ${ARGN})
  if(NOT found STREQUAL "")
    fail("${file} holds `${found}`")
  endif()
endfunction()

# A toolchain in WORK_DIR made of links to the real one, without some tools. Its compiler calls the real one
# and says, as the real one would, that it is installed where it stands.
# Sets FAKE_BIN_DIR and COMPILER_OPTION.
function(make_toolchain)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "WITHOUT")
  set(bin "${WORK_DIR}/toolchain/bin")
  file(MAKE_DIRECTORY "${bin}")
  foreach(tool IN ITEMS clang lld ld.lld clang-offload-bundler llvm-ar llvm-ranlib llvm-profdata llvm-cov)
    if(NOT tool IN_LIST arg_WITHOUT)
      file(CREATE_LINK "${LLVM_BIN_DIR}/${tool}" "${bin}/${tool}" SYMBOLIC)
    endif()
  endforeach()
  write_program("${bin}/clang++" "
if [ \"$1\" = --version ]; then
  exec '${LLVM_BIN_DIR}/clang++' --version | sed 's,^InstalledDir: .*,InstalledDir: ${bin},'
fi
echo run >> '${WORK_DIR}/compiler-runs'
exec '${LLVM_BIN_DIR}/clang++' \"$@\"")
  set(FAKE_BIN_DIR "${bin}" PARENT_SCOPE)
  set(COMPILER_OPTION "-DCMAKE_CXX_COMPILER=${bin}/clang++" PARENT_SCOPE)
endfunction()

function(write_program file body)
  file(WRITE "${file}" "#!/bin/sh\n${body}\n")
  file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
