// Succeeds when the fat binary is there and begins as bundles do, plain ones or (with an argument) compressed ones.
#include <cstring>

extern "C" const unsigned char kernels[];

int main(int argc, char**) {
  const char* magic = argc > 1 ? "CCOB" : "__CLANG_OFFLOAD_BUNDLE__";
  return std::memcmp(kernels, magic, std::strlen(magic)) == 0 ? 0 : 1;
}
