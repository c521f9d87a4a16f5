// Virtual memory management: addresses and memory come and go apart from each other.
#include "check.h"

namespace {

__global__ void addIndex(int* data, int n, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    data[i] += i + value;
  }
}

struct Chunk {
  hipMemGenericAllocationHandle_t handle;
  size_t size;
};

Chunk makeChunk(const hipMemAllocationProp& properties, size_t size) {
  Chunk chunk{.handle = {}, .size = size};
  HIP_OK(hipMemCreate(&chunk.handle, size, &properties, 0));
  return chunk;
}

void allow(void* address, size_t size) {
  hipMemAccessDesc access{};
  access.location.type = hipMemLocationTypeDevice;
  access.location.id = 0;
  access.flags = hipMemAccessFlagsProtReadWrite;
  HIP_OK(hipMemSetAccess(address, size, &access, 1));
}

/// Two pieces of memory in one range of addresses; what a piece holds stays with it when it moves.
void checkMapping() {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location.type = hipMemLocationTypeDevice;
  properties.location.id = 0;
  size_t granularity = 0;
  HIP_OK(hipMemGetAllocationGranularity(&granularity, &properties,
                                        hipMemAllocationGranularityMinimum));
  const size_t size = (size_t{64} * 1024 + granularity - 1) / granularity * granularity;
  const int count = static_cast<int>(size / sizeof(int));
  const Chunk first = makeChunk(properties, size), second = makeChunk(properties, size);
  void* address = nullptr;
  HIP_OK(hipMemAddressReserve(&address, 2 * size, granularity, nullptr, 0));
  int* low = static_cast<int*>(address);
  int* high = low + count;
  HIP_OK(hipMemMap(low, size, 0, first.handle, 0));
  HIP_OK(hipMemMap(high, size, 0, second.handle, 0));
  allow(address, 2 * size);
  HIP_OK(hipMemset(low, 0, 2 * size));
  addIndex<<<(2 * count + 255) / 256, 256>>>(low, 2 * count, 5);
  const std::vector<int> all = toHost(low, 2 * count);
  EXPECT(all[0] == 5 && all[count] == count + 5 && all[2 * count - 1] == 2 * count + 4,
         "one kernel over two pieces");
  HIP_OK(hipMemUnmap(low, size));
  HIP_OK(hipMemUnmap(high, size));
  HIP_OK(hipMemMap(low, size, 0, second.handle, 0));
  allow(low, size);
  EXPECT(toHost(low, 1)[0] == count + 5, "the second piece at the first one's address");
  HIP_OK(hipMemUnmap(low, size));
  HIP_OK(hipMemRelease(first.handle));
  HIP_OK(hipMemRelease(second.handle));
  HIP_OK(hipMemAddressFree(address, 2 * size));
}

} // namespace

int main() {
  int supported = 0;
  HIP_OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
  if (supported == 0) {
    std::printf("no virtual memory management\n");
    return 0;
  }
  checkMapping();
}
