// Two tests in the way GoogleTest lists them. Each succeeds when its own environment is there.
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--gtest_list_tests") == 0) {
      std::puts("Sums.\n  OfNothing\n  OfTwo");
      return 0;
    }
  return std::getenv("OWN") != nullptr ? 0 : 1;
}
