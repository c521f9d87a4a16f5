// Uses HIP as plugins do: loaded late, with RTLD_LOCAL, so that no other library sees it.
// Argument: the file of HIP's library.

#include <cstdio>

#include <dlfcn.h>

int main(int argc, char** argv) {
  void* hip = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (hip == nullptr) {
    std::printf("no HIP: %s\n", argc == 2 ? dlerror() : "no argument");
    return 1;
  }
  const auto allocate = reinterpret_cast<int (*)(void**, size_t)>(dlsym(hip, "hipMalloc"));
  const auto fill = reinterpret_cast<int (*)(void*, int, size_t)>(dlsym(hip, "hipMemset"));
  const auto synchronize = reinterpret_cast<int (*)()>(dlsym(hip, "hipDeviceSynchronize"));
  constexpr size_t kBytes = 1 << 24; // takes longer than HIP takes until it waits
  void* memory = nullptr;
  const bool works =
      allocate(&memory, kBytes) == 0 && fill(memory, 1, kBytes) == 0 && synchronize() == 0;
  std::puts(works ? "done" : "HIP reported an error");
  return works ? 0 : 1;
}
