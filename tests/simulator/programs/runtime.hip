// The runtime as samples use it: streams, events, pinned and managed memory, 2D copies, graphs,
// occupancy, properties, symbols and callbacks.
#include <algorithm>
#include <cstring>

#include "check.h"

__device__ int deviceCounter = 5;
__constant__ int factors[4];
__managed__ int managedValue = 3;

__global__ void scale(int* data, int n, int factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    data[i] = data[i] * factor + 1;
  }
}
__global__ void useSymbols(int* out) {
  out[threadIdx.x] = factors[threadIdx.x % 4] + deviceCounter;
}
__global__ void useManaged() {
  managedValue += 4;
}

void checkStreams() {
  constexpr int kStreams = 4, n = 1 << 12;
  hipStream_t streams[kStreams];
  int* pinned = nullptr;
  int* device = nullptr;
  HIP_OK(hipHostMalloc(&pinned, kStreams * n * sizeof(int)));
  HIP_OK(hipMalloc(&device, kStreams * n * sizeof(int)));
  for (int i = 0; i < kStreams * n; ++i) {
    pinned[i] = i;
  }
  hipEvent_t start, stop;
  HIP_OK(hipEventCreate(&start));
  HIP_OK(hipEventCreate(&stop));
  HIP_OK(hipEventRecord(start));
  for (int s = 0; s < kStreams; ++s) {
    HIP_OK(hipStreamCreateWithFlags(&streams[s], hipStreamNonBlocking));
    int* part = device + s * n;
    HIP_OK(
        hipMemcpyAsync(part, pinned + s * n, n * sizeof(int), hipMemcpyHostToDevice, streams[s]));
    scale<<<4, 64, 0, streams[s]>>>(part, n, s + 2);
    HIP_OK(
        hipMemcpyAsync(pinned + s * n, part, n * sizeof(int), hipMemcpyDeviceToHost, streams[s]));
  }
  for (const hipStream_t stream : streams) {
    HIP_OK(hipStreamSynchronize(stream));
    HIP_OK(hipStreamDestroy(stream));
  }
  HIP_OK(hipEventRecord(stop));
  HIP_OK(hipEventSynchronize(stop));
  float milliseconds = -1;
  HIP_OK(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0, "elapsed time");
  for (int i = 0; i < kStreams * n; ++i) {
    EXPECT(pinned[i] == i * (i / n + 2) + 1, "stream result %d", i);
  }
  HIP_OK(hipHostFree(pinned));
}

void checkOrderAcrossStreams() {
  hipStream_t first, second;
  hipEvent_t done;
  HIP_OK(hipStreamCreate(&first));
  HIP_OK(hipStreamCreate(&second));
  HIP_OK(hipEventCreateWithFlags(&done, hipEventDisableTiming));
  int* data = toDevice(std::vector<int>(100, 1));
  scale<<<1, 64, 0, first>>>(data, 100, 10);
  HIP_OK(hipEventRecord(done, first));
  HIP_OK(hipStreamWaitEvent(second, done, 0));
  scale<<<1, 64, 0, second>>>(data, 100, 3);
  int called = 0;
  HIP_OK(hipStreamAddCallback(
      second, [](hipStream_t, hipError_t, void* flag) { *static_cast<int*>(flag) = 1; }, &called,
      0));
  HIP_OK(hipStreamSynchronize(second));
  EXPECT(toHost(data, 100)[99] == 34, "order of two streams");
  EXPECT(called == 1, "the callback was called");
}

void checkCopies() {
  constexpr int kWidth = 20, kHeight = 15;
  std::vector<int> in(kWidth * kHeight), out(kWidth * kHeight);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<int>(i) * 3;
  }
  int* pitched = nullptr;
  size_t pitch = 0;
  HIP_OK(hipMallocPitch(reinterpret_cast<void**>(&pitched), &pitch, kWidth * sizeof(int), kHeight));
  HIP_OK(hipMemcpy2D(pitched, pitch, in.data(), kWidth * sizeof(int), kWidth * sizeof(int), kHeight,
                     hipMemcpyHostToDevice));
  HIP_OK(hipMemset2D(pitched, pitch, 0xff, 2 * sizeof(int), 3));
  HIP_OK(hipMemcpy2D(out.data(), kWidth * sizeof(int), pitched, pitch, kWidth * sizeof(int),
                     kHeight, hipMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const int expected = y < 3 && x < 2 ? -1 : in[y * kWidth + x];
      EXPECT(out[y * kWidth + x] == expected, "2D copy at %d, %d", x, y);
    }
  }
  std::vector<int> registered(64, 7);
  int* mapped = nullptr;
  HIP_OK(hipHostRegister(registered.data(), 64 * sizeof(int), hipHostRegisterMapped));
  HIP_OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&mapped), registered.data(), 0));
  scale<<<1, 64>>>(mapped, 64, 2);
  HIP_OK(hipDeviceSynchronize());
  EXPECT(std::count(registered.begin(), registered.end(), 15) == 64, "registered memory");
  HIP_OK(hipHostUnregister(registered.data()));
  int* words = deviceZeros<int>(10);
  HIP_OK(hipMemsetD32(words, 0x12345678, 10));
  EXPECT(toHost(words, 10)[9] == 0x12345678, "fill with words");
}

void checkSymbols() {
  const int host[4] = {10, 20, 30, 40};
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(factors), host, sizeof host));
  const int counter = 100;
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(deviceCounter), &counter, sizeof counter));
  int* out = deviceZeros<int>(8);
  useSymbols<<<1, 8>>>(out);
  EXPECT(toHost(out, 8)[6] == 130, "symbols");
  int back = 0;
  HIP_OK(hipMemcpyFromSymbol(&back, HIP_SYMBOL(deviceCounter), sizeof back));
  EXPECT(back == 100, "a symbol read back");
  useManaged<<<1, 1>>>();
  HIP_OK(hipDeviceSynchronize());
  EXPECT(managedValue == 7, "managed variable is %d", managedValue);
}

void checkQueries() {
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  EXPECT(std::strncmp(properties.gcnArchName, "gfx", 3) == 0, "%s", properties.gcnArchName);
  const int waveSize = std::strncmp(properties.gcnArchName, "gfx1", 4) == 0 ? 32 : 64;
  EXPECT(properties.warpSize == waveSize && properties.multiProcessorCount > 0, "properties");
  EXPECT(properties.maxThreadsPerBlock == 1024 && properties.totalGlobalMem > 0, "limits");
  int blocks = 0, size = 0;
  HIP_OK(hipOccupancyMaxPotentialBlockSize(&blocks, &size, scale, 0, 0));
  EXPECT(blocks > 0 && size > 0 && size <= 1024, "potential block size");
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  EXPECT(blocks > 0, "occupancy");
  size_t free = 0, total = 0;
  HIP_OK(hipMemGetInfo(&free, &total));
  EXPECT(free > 0 && free <= total, "memory");
  hipFuncAttributes attributes;
  HIP_OK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(scale)));
  EXPECT(attributes.numRegs > 0, "function attributes");
}

void checkGraph() {
  hipStream_t stream;
  HIP_OK(hipStreamCreate(&stream));
  std::vector<int> host(100, 2);
  int* data = toDevice(host);
  hipGraph_t graph;
  hipGraphExec_t executable;
  HIP_OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  scale<<<1, 64, 0, stream>>>(data, 100, 2);
  scale<<<1, 64, 0, stream>>>(data, 100, 3);
  HIP_OK(hipStreamEndCapture(stream, &graph));
  HIP_OK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_OK(hipGraphLaunch(executable, stream));
  HIP_OK(hipGraphLaunch(executable, stream));
  HIP_OK(hipStreamSynchronize(stream));
  EXPECT(toHost(data, 100)[50] == (2 * 6 + 4) * 6 + 4, "graph launched twice");
}

int main() {
  checkStreams();
  checkOrderAcrossStreams();
  checkCopies();
  checkSymbols();
  checkQueries();
  checkGraph();
}
