// What HIP's host side asks of the machine: streams, events, devices, memory kinds, modules.

#include <chrono>
#include <fstream>
#include <iterator>
#include <numeric>
#include <vector>

#include "hip_check.h"

namespace {

__global__ void addOne(unsigned* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void waitFor(volatile unsigned* flag, unsigned value, volatile unsigned* answer) {
  while (*flag != value) {
  }
  *answer = value + 1;
}

__global__ void setFlag(volatile unsigned* flag, unsigned value) {
  *flag = value;
}

class Devices : public testing::Test {
protected:
  void SetUp() override {
    HIP_OK(hipGetDeviceCount(&count_));
    ASSERT_EQ(2, count_) << "these tests run on a machine with two GPUs";
  }
  int count_ = 0;
};

} // namespace

TEST(Memory, CopiesOfManyPagesArriveInBothDirections) {
  std::vector<unsigned> values(3 << 20);
  std::iota(values.begin(), values.end(), 17u);
  DeviceArray<unsigned> device(values.size());
  device.fromHost(values);
  EXPECT_EQ(values, device.toHost());
}

TEST(Memory, OddSizesAndOffsetsCopyExactBytes) {
  std::vector<unsigned char> values(4099);
  std::iota(values.begin(), values.end(), static_cast<unsigned char>(1));
  DeviceArray<unsigned char> device(values.size(), 0xee);
  HIP_OK(hipMemcpy(device.get() + 3, values.data() + 5, 4001, hipMemcpyHostToDevice));
  const auto result = device.toHost();
  for (size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(i >= 3 && i < 4004 ? values[i + 2] : 0xee, result[i]) << i;
}

TEST(Memory, RectanglesKeepTheirPitch) {
  constexpr size_t kWidth = 37, kHeight = 11, kPitch = 64;
  std::vector<unsigned char> values(kWidth * kHeight), back(kWidth * kHeight);
  std::iota(values.begin(), values.end(), static_cast<unsigned char>(0));
  DeviceArray<unsigned char> device(kPitch * kHeight, 0xee);
  HIP_OK(hipMemcpy2D(device.get(), kPitch, values.data(), kWidth, kWidth, kHeight,
                     hipMemcpyHostToDevice));
  EXPECT_EQ(0xee, device.toHost()[kWidth]) << "the gap between rows";
  HIP_OK(hipMemcpy2D(back.data(), kWidth, device.get(), kPitch, kWidth, kHeight,
                     hipMemcpyDeviceToHost));
  EXPECT_EQ(values, back);
}

TEST(Memory, KernelsReachPinnedRegisteredAndManagedMemory) {
  constexpr unsigned kCount = 256;
  unsigned* pinned = nullptr;
  unsigned* managed = nullptr;
  std::vector<unsigned> registered(kCount, 7);
  unsigned* registeredOnDevice = nullptr;
  HIP_OK(hipHostMalloc(&pinned, kCount * sizeof(unsigned)));
  HIP_OK(hipMallocManaged(&managed, kCount * sizeof(unsigned)));
  HIP_OK(hipHostRegister(registered.data(), kCount * sizeof(unsigned), hipHostRegisterDefault));
  HIP_OK(
      hipHostGetDevicePointer(reinterpret_cast<void**>(&registeredOnDevice), registered.data(), 0));
  std::fill_n(pinned, kCount, 5u);
  std::fill_n(managed, kCount, 6u);
  addOne<<<1, kCount>>>(pinned);
  addOne<<<1, kCount>>>(managed);
  addOne<<<1, kCount>>>(registeredOnDevice);
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(6u, pinned[kCount - 1]);
  EXPECT_EQ(7u, managed[kCount - 1]);
  EXPECT_EQ(8u, registered[kCount - 1]);
  HIP_OK(hipHostUnregister(registered.data()));
  HIP_OK(hipFree(managed));
  HIP_OK(hipHostFree(pinned));
}

TEST(Streams, WorkOnOneStreamMayWaitForWorkOnAnother) {
  unsigned* flags = nullptr;
  HIP_OK(hipHostMalloc(&flags, 2 * sizeof(unsigned)));
  flags[0] = flags[1] = 0;
  hipStream_t first, second;
  HIP_OK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  HIP_OK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  waitFor<<<1, 1, 0, first>>>(flags, 3, flags + 1);
  setFlag<<<1, 1, 0, second>>>(flags, 3);
  HIP_OK(hipStreamSynchronize(first));
  EXPECT_EQ(4u, flags[1]);
  HIP_OK(hipStreamDestroy(first));
  HIP_OK(hipStreamDestroy(second));
  HIP_OK(hipHostFree(flags));
}

TEST(Streams, AKernelMayWaitForTheHost) {
  unsigned* flags = nullptr;
  HIP_OK(hipHostMalloc(&flags, 2 * sizeof(unsigned)));
  flags[0] = flags[1] = 0;
  waitFor<<<1, 1>>>(flags, 9, flags + 1);
  EXPECT_EQ(hipErrorNotReady, hipStreamQuery(nullptr));
  __atomic_store_n(flags, 9u, __ATOMIC_RELEASE);
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(10u, flags[1]);
  HIP_OK(hipHostFree(flags));
}

TEST(Streams, EventsOrderStreamsAndMeasureTime) {
  DeviceArray<unsigned> values(64);
  hipStream_t first, second;
  hipEvent_t before, after;
  HIP_OK(hipStreamCreate(&first));
  HIP_OK(hipStreamCreate(&second));
  HIP_OK(hipEventCreate(&before));
  HIP_OK(hipEventCreate(&after));
  HIP_OK(hipEventRecord(before, first));
  for (int i = 0; i < 20; ++i)
    addOne<<<1, 64, 0, first>>>(values.get());
  HIP_OK(hipEventRecord(after, first));
  HIP_OK(hipStreamWaitEvent(second, after, 0));
  addOne<<<1, 64, 0, second>>>(values.get());
  HIP_OK(hipStreamSynchronize(second));
  EXPECT_EQ(std::vector<unsigned>(64, 21), values.toHost());
  float milliseconds = -1;
  HIP_OK(hipEventElapsedTime(&milliseconds, before, after));
  EXPECT_GT(milliseconds, 0.0f);
  HIP_OK(hipEventDestroy(before));
  HIP_OK(hipEventDestroy(after));
  HIP_OK(hipStreamDestroy(first));
  HIP_OK(hipStreamDestroy(second));
}

TEST(Streams, ManyMorePacketsThanTheRingHoldsAllRun) {
  DeviceArray<unsigned> values(1);
  for (int i = 0; i < 3000; ++i)
    addOne<<<1, 1>>>(values.get());
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(3000u, values.toHost()[0]);
}

TEST_F(Devices, EachRunsKernelsOnItsOwnMemory) {
  for (int device = 0; device < count_; ++device) {
    HIP_OK(hipSetDevice(device));
    DeviceArray<unsigned> values(128);
    for (int i = 0; i <= device; ++i)
      addOne<<<1, 128>>>(values.get());
    HIP_OK(hipDeviceSynchronize());
    EXPECT_EQ(std::vector<unsigned>(128, static_cast<unsigned>(device) + 1), values.toHost());
  }
}

TEST_F(Devices, PeersCopyAndReachEachOthersMemory) {
  std::vector<unsigned> values(5000);
  std::iota(values.begin(), values.end(), 3u);
  HIP_OK(hipSetDevice(1));
  DeviceArray<unsigned> second(values.size());
  HIP_OK(hipSetDevice(0));
  DeviceArray<unsigned> first(values.size());
  first.fromHost(values);
  HIP_OK(hipMemcpyPeer(second.get(), 1, first.get(), 0, values.size() * sizeof(unsigned)));
  EXPECT_EQ(values, second.toHost());

  int possible = 0;
  HIP_OK(hipDeviceCanAccessPeer(&possible, 0, 1));
  ASSERT_EQ(1, possible);
  HIP_OK(hipDeviceEnablePeerAccess(1, 0));
  addOne<<<5, 1000>>>(second.get());
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(values.back() + 1, second.toHost().back());
}

TEST_F(Devices, KernelsOnTwoGpusMayWaitForEachOther) {
  unsigned* flags = nullptr;
  HIP_OK(hipHostMalloc(&flags, 3 * sizeof(unsigned), hipHostMallocPortable));
  std::fill_n(flags, 3, 0u);
  HIP_OK(hipSetDevice(0));
  waitFor<<<1, 1>>>(flags + 1, 1, flags + 2);
  HIP_OK(hipSetDevice(1));
  setFlag<<<1, 1>>>(flags + 1, 1);
  HIP_OK(hipDeviceSynchronize());
  HIP_OK(hipSetDevice(0));
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(2u, flags[2]);
  HIP_OK(hipHostFree(flags));
}

TEST(Modules, ACodeObjectFromMemoryRunsAndItsPlaceIsReusedByAnother) {
  for (const auto& [file, factor] :
       {std::pair(MODULE_TWICE, 2u), std::pair(MODULE_THRICE, 3u), std::pair(MODULE_TWICE, 2u)}) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> image((std::istreambuf_iterator<char>(stream)), {});
    ASSERT_FALSE(image.empty()) << file;
    hipModule_t module;
    hipFunction_t function;
    HIP_OK(hipModuleLoadData(&module, image.data()));
    HIP_OK(hipModuleGetFunction(&function, module, "scale"));
    std::vector<unsigned> values(64);
    std::iota(values.begin(), values.end(), 0u);
    DeviceArray<unsigned> device(64);
    device.fromHost(values);
    unsigned* pointer = device.get();
    void* arguments[] = {&pointer};
    HIP_OK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    HIP_OK(hipDeviceSynchronize());
    for (unsigned& value : values)
      value *= factor;
    EXPECT_EQ(values, device.toHost());
    HIP_OK(hipModuleUnload(module));
  }
}
