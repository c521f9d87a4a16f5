# cmake -DINPUT=<file> -DOUTPUT=<file> -P filter_assembly.cmake
#
# Makes instrumented HIP code that was compiled to assembly fit to be assembled and linked with LLVM 22:
# - `.no_dead_strip` for the local symbols of coverage maps goes: the assembler refuses what the compiler wrote
#   ("non-local symbol required"), and the directive does nothing on ELF;
# - `__llvm_prf_nm`, the names of a unit's functions, becomes local: every unit defines it, and the device link
#   would refuse the second one. The linker joins the names by section.
cmake_minimum_required(VERSION 3.22)
file(READ "${INPUT}" text)
string(REGEX REPLACE "\n[ \t]*\\.no_dead_strip[ \t]+\\.L[^\n]*" "" text "${text}")
string(REGEX REPLACE "\n[ \t]*\\.(globl|protected|hidden)[ \t]+__llvm_prf_nm[^\n]*" "" text "${text}")
file(WRITE "${OUTPUT}" "${text}")
