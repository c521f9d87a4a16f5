// Debian's prebuilt RCCL reduces over the GPUs of the machine: kernels of two GPUs that wait for each other.
#include "../programs/check.h"

#include <rccl/rccl.h>

#define NCCL_OK(call)                                                                              \
  do {                                                                                             \
    const ncclResult_t result = (call);                                                            \
    EXPECT(result == ncclSuccess, "%s", ncclGetErrorString(result));                               \
  } while (false)

int main() {
  constexpr size_t kCount = 3000;
  int devices = 0;
  HIP_OK(hipGetDeviceCount(&devices));
  EXPECT(devices >= 2, "%d devices", devices);
  const auto all = static_cast<size_t>(devices);
  std::vector<ncclComm_t> communicators(all);
  NCCL_OK(ncclCommInitAll(communicators.data(), devices, nullptr));
  std::vector<float*> input(all), output(all);
  for (int device = 0; device < devices; ++device) {
    HIP_OK(hipSetDevice(device));
    std::vector<float> values(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      values[i] = static_cast<float>((i + 1) * static_cast<size_t>(device + 1));
    }
    input[static_cast<size_t>(device)] = toDevice(values);
    output[static_cast<size_t>(device)] = deviceZeros<float>(kCount);
  }
  NCCL_OK(ncclGroupStart());
  for (size_t device = 0; device < all; ++device) {
    NCCL_OK(ncclAllReduce(input[device], output[device], kCount, ncclFloat, ncclSum,
                          communicators[device], nullptr));
  }
  NCCL_OK(ncclGroupEnd());
  const auto factor = static_cast<float>(all * (all + 1) / 2);
  for (int device = 0; device < devices; ++device) {
    HIP_OK(hipSetDevice(device));
    const std::vector<float> sums = toHost(output[static_cast<size_t>(device)], kCount);
    for (size_t i = 0; i < kCount; ++i) {
      EXPECT(sums[i] == factor * static_cast<float>(i + 1), "device %d, sum %zu is %g", device, i,
             sums[i]);
    }
  }
  for (const ncclComm_t communicator : communicators) {
    NCCL_OK(ncclCommDestroy(communicator));
  }
}
