// Streams that wait for values in memory and write them, events in many streams, and device clocks.
#include "check.h"

namespace {

__global__ void store(int* out, int value) {
  *out = value;
}

__global__ void readClocks(long long* clocks) {
  clocks[0] = __builtin_amdgcn_s_memrealtime();
  clocks[1] = __builtin_amdgcn_s_memtime();
  for (int i = 0; i < 1000; ++i) {
    __builtin_amdgcn_s_sleep(1);
  }
  clocks[2] = __builtin_amdgcn_s_memrealtime();
  clocks[3] = __builtin_amdgcn_s_memtime();
}

/// The stream does not go on before the value is there, whoever writes it.
void checkWaitValue() {
  int supported = 0;
  HIP_OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeCanUseStreamWaitValue, 0));
  EXPECT(supported == 1, "streams cannot wait for values");
  uint64_t* flag = nullptr;
  HIP_OK(hipExtMallocWithFlags(reinterpret_cast<void**>(&flag), 8, hipMallocSignalMemory));
  *flag = 0;
  int* out = deviceZeros<int>(1);
  hipStream_t waiting, writing;
  HIP_OK(hipStreamCreateWithFlags(&waiting, hipStreamNonBlocking));
  HIP_OK(hipStreamCreateWithFlags(&writing, hipStreamNonBlocking));
  HIP_OK(hipStreamWaitValue64(waiting, flag, 5, hipStreamWaitValueGte));
  store<<<1, 1, 0, waiting>>>(out, 77);
  EXPECT(hipStreamQuery(waiting) == hipErrorNotReady, "the stream did not wait");
  HIP_OK(hipStreamWriteValue64(writing, flag, 6, 0));
  HIP_OK(hipStreamSynchronize(waiting));
  EXPECT(*flag == 6 && toHost(out, 1)[0] == 77, "after the write of another stream");
  HIP_OK(hipStreamWaitValue32(waiting, flag, 0x10, hipStreamWaitValueAnd, 0x10));
  store<<<1, 1, 0, waiting>>>(out, 78);
  __atomic_store_n(flag, uint64_t{0x30}, __ATOMIC_SEQ_CST);
  HIP_OK(hipStreamSynchronize(waiting));
  EXPECT(toHost(out, 1)[0] == 78, "after the write of the host");
  HIP_OK(hipStreamDestroy(waiting));
  HIP_OK(hipStreamDestroy(writing));
  HIP_OK(hipFree(flag));
}

/// Events lie between what comes before and after them, and times never run backwards.
void checkEvents() {
  constexpr int kEvents = 20;
  hipEvent_t events[kEvents];
  int* out = deviceZeros<int>(1);
  for (hipEvent_t& event : events) {
    HIP_OK(hipEventCreate(&event));
  }
  for (int i = 0; i < kEvents; ++i) {
    store<<<1, 1>>>(out, i);
    HIP_OK(hipEventRecord(events[i]));
  }
  HIP_OK(hipEventSynchronize(events[kEvents - 1]));
  float sum = 0;
  for (int i = 1; i < kEvents; ++i) {
    float step = -1;
    HIP_OK(hipEventElapsedTime(&step, events[i - 1], events[i]));
    EXPECT(step >= 0, "event %d lies %g ms before the one before it", i, -step);
    sum += step;
  }
  float whole = -1;
  HIP_OK(hipEventElapsedTime(&whole, events[0], events[kEvents - 1]));
  EXPECT(std::abs(whole - sum) <= 0.01f + sum * 0.01f, "%g ms are the sum of %g ms", whole, sum);
  for (const hipEvent_t event : events) {
    HIP_OK(hipEventDestroy(event));
  }
}

void checkClocks() {
  long long* clocks = deviceZeros<long long>(4);
  readClocks<<<1, 1>>>(clocks);
  const std::vector<long long> host = toHost(clocks, 4);
  EXPECT(host[2] > host[0], "the constant-rate clock went from %lld to %lld", host[0], host[2]);
  EXPECT(host[3] > host[1], "the core clock went from %lld to %lld", host[1], host[3]);
}

} // namespace

int main() {
  checkWaitValue();
  checkEvents();
  checkClocks();
}
