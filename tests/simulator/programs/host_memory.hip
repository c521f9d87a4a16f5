// Host memory that kernels reach: allocated, registered and managed; and memory freed on a stream.
#include "check.h"

#include <cstdlib>
#include <string_view>

namespace {

__global__ void scale(int* data, int n, int factor) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    data[i] *= factor;
  }
}

void runScale(int* data, int n, int factor) {
  scale<<<(n + 63) / 64, 64>>>(data, n, factor);
  HIP_OK(hipGetLastError());
  HIP_OK(hipDeviceSynchronize());
}

void expectAll(const int* data, int n, int value, const char* what) {
  for (int i = 0; i < n; ++i) {
    EXPECT(data[i] == value, "%s: element %d is %d", what, i, data[i]);
  }
}

void checkAllocatedKinds() {
  constexpr int kCount = 3000;
  const unsigned kinds[] = {hipHostMallocDefault, hipHostMallocPortable, hipHostMallocMapped,
                            hipHostMallocWriteCombined, hipHostMallocCoherent,
                            hipHostMallocNonCoherent};
  for (const unsigned kind : kinds) {
    int* data = nullptr;
    HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&data), kCount * sizeof(int), kind));
    std::fill_n(data, kCount, 21);
    int* device = nullptr;
    HIP_OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), data, 0));
    runScale(device, kCount, 2);
    expectAll(data, kCount, 42, "host memory");
    HIP_OK(hipHostFree(data));
  }
}

/// Neither begin nor end of what is registered need lie at a page.
void checkRegisteredWithinPages() {
  constexpr int kCount = 5000, kSkip = 123;
  std::vector<int> memory(kCount + 2 * kSkip, 3);
  int* begin = memory.data() + kSkip;
  HIP_OK(hipHostRegister(begin, kCount * sizeof(int), hipHostRegisterDefault));
  int* device = nullptr;
  HIP_OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), begin, 0));
  runScale(device, kCount, 5);
  expectAll(begin, kCount, 15, "registered memory");
  EXPECT(memory[kSkip - 1] == 3 && memory[kCount + kSkip] == 3, "memory around it");
  int* copy = deviceZeros<int>(kCount);
  HIP_OK(hipMemcpy(copy, begin, kCount * sizeof(int), hipMemcpyHostToDevice));
  EXPECT(toHost(copy, kCount).back() == 15, "a copy from registered memory");
  HIP_OK(hipFree(copy));
  HIP_OK(hipHostUnregister(begin));
  EXPECT(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), begin, 0) != hipSuccess,
         "unregistered memory still has a device pointer");
  static_cast<void>(hipGetLastError());
}

void checkManaged() {
  constexpr int kCount = 4096;
  int* data = nullptr;
  HIP_OK(hipMallocManaged(reinterpret_cast<void**>(&data), kCount * sizeof(int)));
  std::fill_n(data, kCount, 4);
  HIP_OK(hipMemAdvise(data, kCount * sizeof(int), hipMemAdviseSetPreferredLocation, 0));
  HIP_OK(hipMemPrefetchAsync(data, kCount * sizeof(int), 0, nullptr));
  runScale(data, kCount, 3);
  expectAll(data, kCount, 12, "managed memory");
  data[kCount - 1] = 5;
  runScale(data, kCount, 3);
  EXPECT(data[0] == 36 && data[kCount - 1] == 15, "managed memory used in turns");
  HIP_OK(hipFree(data));
}

void checkAttributes() {
  int* device = deviceZeros<int>(16);
  int* host = nullptr;
  HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&host), 64));
  hipPointerAttribute_t attributes;
  HIP_OK(hipPointerGetAttributes(&attributes, device + 3));
  EXPECT(attributes.device == 0, "device memory");
  HIP_OK(hipPointerGetAttributes(&attributes, host));
  EXPECT(attributes.hostPointer == host, "host memory");
  HIP_OK(hipHostFree(host));
  HIP_OK(hipFree(device));
}

void checkFreeMemory() {
  constexpr size_t kBytes = size_t{256} << 20;
  size_t before = 0, during = 0, after = 0, total = 0;
  HIP_OK(hipMemGetInfo(&before, &total));
  void* data = nullptr;
  HIP_OK(hipMalloc(&data, kBytes));
  HIP_OK(hipMemGetInfo(&during, &total));
  HIP_OK(hipFree(data));
  HIP_OK(hipMemGetInfo(&after, &total));
  EXPECT(before - during >= kBytes && after >= during + kBytes, "free: %zu, %zu, %zu", before,
         during, after);
  void* tooMuch = nullptr;
  EXPECT(hipMalloc(&tooMuch, total + kBytes) == hipErrorOutOfMemory, "more than there is");
  static_cast<void>(hipGetLastError());
}

/// The machine's setting reaches HIP, which then copies in another way.
void checkWindow() {
  const char* bar = std::getenv("AMDGPU_SIMULATOR_BAR");
  if (bar == nullptr) {
    return;
  }
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  EXPECT((properties.isLargeBar != 0) == (std::string_view(bar) == "large"), "a %s BAR", bar);
}

/// Work on the stream may still use what a later hipFreeAsync() returns.
void checkStreamOrder() {
  int supported = 0;
  HIP_OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0));
  if (supported == 0) {
    return;
  }
  hipStream_t stream;
  HIP_OK(hipStreamCreate(&stream));
  std::vector<int> copied(1000);
  for (int round = 1; round <= 20; ++round) {
    int* data = nullptr;
    HIP_OK(hipMallocAsync(reinterpret_cast<void**>(&data), 1000 * sizeof(int), stream));
    HIP_OK(hipMemsetD32Async(data, round, 1000, stream));
    scale<<<16, 64, 0, stream>>>(data, 1000, 10);
    HIP_OK(hipMemcpyAsync(copied.data(), data, 1000 * sizeof(int), hipMemcpyDeviceToHost, stream));
    HIP_OK(hipFreeAsync(data, stream));
    HIP_OK(hipStreamSynchronize(stream));
    expectAll(copied.data(), 1000, 10 * round, "stream-ordered memory");
  }
  HIP_OK(hipStreamDestroy(stream));
}

} // namespace

int main() {
  checkWindow();
  checkAllocatedKinds();
  checkRegisteredWithinPages();
  checkManaged();
  checkAttributes();
  checkFreeMemory();
  checkStreamOrder();
}
