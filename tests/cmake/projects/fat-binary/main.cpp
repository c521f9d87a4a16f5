// Succeeds when the fat binary is there and begins as bundles do.
#include <cstring>

extern "C" const unsigned char kernels[];

int main() {
  return std::memcmp(kernels, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0 ? 0 : 1;
}
