// Coverage is drained by exit handlers, after many destructors: new code must still be decoded
// then.
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "snippet.h"

namespace {

/// Runs after every destructor of this program, since it was registered before any constructor ran.
void runKernel() {
  using gpusim::test::Snippet;
  Snippet snippet("v_mul_lo_u32 v2, v1, v1\nv_add_f32 v3, 1.0, 1.0");
  snippet.vector(1, 1001).wantVectors(2, 2);
  const bool right = snippet.run() && snippet.vectorOut(2)[63] == 1002001u &&
                     snippet.vectorOut(3)[0] == 0x40000000u;
  if (!right) {
    std::fprintf(stderr, "%s\n", snippet.fault().message.c_str());
    _exit(1);
  }
  std::puts("ran after destructors");
  std::fflush(stdout);
}

constexpr int kEarliest = 101;
__attribute__((constructor(kEarliest))) void registerFirst() {
  std::atexit(runKernel);
}

} // namespace

int main() {
  gpusim::test::Snippet snippet("s_nop 0"); // LLVM is in use before the exit, as in a real program
  return snippet.run() ? 0 : 1;
}
