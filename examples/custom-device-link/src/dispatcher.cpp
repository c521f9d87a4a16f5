// The only kernel of the device link: it calls the functions of the other units.
#include "collectives/collectives.h"
#include "device_array.h"
#include "work.h"

namespace collectives {

__global__ void __launch_bounds__(kBlockSize) dispatch(Work work) {
  __shared__ int lds[kBlockSize];
#if defined(__HIP_DEVICE_COMPILE__)
  // The compiler cannot know how many registers the functions of other units take.
  asm volatile("" : : : "v63", "s63");
#endif
  switch (work.operation) {
  case Operation::Largest:
    reduceLargest(work, lds);
    break;
  case Operation::Reverse:
    reverse(work);
    break;
  }
}

namespace {

void run(Operation operation, const DeviceArray& input, const DeviceArray& output) {
  dispatch<<<1, kBlockSize>>>(Work{operation, input.data(), output.data(), input.count()});
  check(hipGetLastError());
}

} // namespace

int largest(const std::vector<int>& values) {
  const DeviceArray input(values), output(std::vector<int>{0});
  run(Operation::Largest, input, output);
  return output.toHost()[0];
}

std::vector<int> reversed(const std::vector<int>& values) {
  const DeviceArray input(values), output(values);
  run(Operation::Reverse, input, output);
  return output.toHost();
}

} // namespace collectives
