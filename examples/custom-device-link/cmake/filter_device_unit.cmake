# cmake -DINPUT=<assembly> -DOUTPUT=<assembly> -DKEEP_KERNELS=<bool> [-DCOVERAGE_FILTER=<script>]
#       -P filter_device_unit.cmake
#
# The project's own filter, which it has with and without coverage: units whose kernels the dispatcher replaces
# give their functions only, so kernel descriptors and metadata go, and the mark of the compilation unit goes
# everywhere. COVERAGE_FILTER runs last and repairs what coverage adds.
cmake_minimum_required(VERSION 3.22)
file(READ "${INPUT}" text)
string(REGEX REPLACE "\n[^\n]*__hip_cuid[^\n]*" "" text "${text}")
# The compiler must assume that functions of other units print, or enqueue kernels. None here does, and a runtime
# without device queues cannot launch a kernel that asks for one.
string(REGEX REPLACE "(\\.value_kind: +)hidden_(hostcall_buffer|default_queue|completion_action)" "\\1hidden_none"
  text "${text}")
if(NOT KEEP_KERNELS)
  string(REGEX REPLACE "\n[ \t]*\\.amdgpu_metadata.*\\.end_amdgpu_metadata" "" text "${text}")
  # One descriptor at a time: matching is greedy and would run to the end of the last.
  while(text MATCHES "\n[ \t]*\\.amdhsa_kernel ")
    string(FIND "${text}" ".amdhsa_kernel " begin)
    string(FIND "${text}" ".end_amdhsa_kernel" end)
    math(EXPR after "${end} + 18")
    string(SUBSTRING "${text}" 0 ${begin} head)
    string(SUBSTRING "${text}" ${after} -1 tail)
    set(text "${head}${tail}")
  endwhile()
endif()
file(WRITE "${OUTPUT}" "${text}")
if(COVERAGE_FILTER)
  set(INPUT "${OUTPUT}")
  include("${COVERAGE_FILTER}")
endif()
