// A program that tells when its own handlers run, between what exit_observer.cpp tells of HIP and
// HSA.
#include "minimal_hip.h"

extern "C" int hipDeviceSynchronize();
extern "C" void sayEvent(const char* event);
extern "C" int atexit(void (*handler)());

__global__ void once(int limit) {
  if (limit > 3)
    __builtin_amdgcn_s_sleep(1);
}

int main() {
  sayEvent("main starts");
  atexit([] { sayEvent("handler registered before HIP was used"); });
  once<<<dim3{1, 1, 1}, dim3{64, 1, 1}>>>(4);
  const int failed = hipDeviceSynchronize();
  atexit([] { sayEvent("handler registered after HIP was used"); });
  sayEvent("main returns");
  return failed;
}
