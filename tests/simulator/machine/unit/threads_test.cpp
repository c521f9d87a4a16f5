// The machine's own threads: queues of two GPUs at work while the program submits, allocates, maps and destroys.
// Without ROCr between them, so that a thread sanitizer sees both sides.

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <sched.h>

#include "driver/kfd_device.h"
#include "driver/machine.h"

namespace gpusim::test {
namespace {

constexpr std::size_t kGpus = 2;
constexpr std::size_t kQueues = 4;
constexpr uint64_t kBufferBytes = 1 << 20;

/// A buffer of system memory at a GPU address of its own, mapped to every GPU.
class Buffer {
public:
  explicit Buffer(Machine& machine) : machine_(machine) {
    static std::atomic<uint64_t> nextAddress{uint64_t{1} << 40};
    kfd_ioctl_alloc_memory_of_gpu_args arguments{};
    arguments.va_addr = address_ = nextAddress.fetch_add(kBufferBytes);
    arguments.size = kBufferBytes;
    arguments.gpu_id = Gpu::gpuIdOf(0);
    arguments.flags = KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
    EXPECT_EQ(0, kfdRequest(machine_, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &arguments));
    handle_ = arguments.handle;
    host_ = machine_.store().at(arguments.mmap_offset);
    change<kfd_ioctl_map_memory_to_gpu_args>(AMDKFD_IOC_MAP_MEMORY_TO_GPU);
  }
  ~Buffer() {
    change<kfd_ioctl_unmap_memory_from_gpu_args>(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU);
    kfd_ioctl_free_memory_of_gpu_args arguments{.handle = handle_};
    EXPECT_EQ(0, kfdRequest(machine_, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &arguments));
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  uint64_t address(uint64_t offset) const { return address_ + offset; }
  template <typename Type>
  Type& at(uint64_t offset) const {
    return *reinterpret_cast<Type*>(host_ + offset);
  }

private:
  template <typename Arguments>
  void change(unsigned long request) {
    uint32_t gpus[kGpus] = {Gpu::gpuIdOf(0), Gpu::gpuIdOf(1)};
    Arguments arguments{};
    arguments.handle = handle_;
    arguments.device_ids_array_ptr = reinterpret_cast<uint64_t>(gpus);
    arguments.n_devices = kGpus;
    EXPECT_EQ(0, kfdRequest(machine_, request, &arguments));
  }

  Machine& machine_;
  uint64_t address_ = 0;
  uint64_t handle_ = 0;
  std::byte* host_ = nullptr;
};

/// An AQL queue with a completion signal, in a buffer of its own.
class Queue {
public:
  Queue(Machine& machine, std::size_t gpu) : machine_(machine), buffer_(machine) {
    kfd_ioctl_create_queue_args arguments{};
    arguments.gpu_id = Gpu::gpuIdOf(gpu);
    arguments.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
    arguments.queue_percentage = 100;
    arguments.ring_base_address = buffer_.address(kRing);
    arguments.ring_size = kSlots * sizeof(hsa_barrier_and_packet_t);
    arguments.read_pointer_address =
        buffer_.address(kQueue + offsetof(amd_queue_t, read_dispatch_id));
    for (uint64_t slot = 0; slot < kSlots; ++slot)
      packet(slot).header = HSA_PACKET_TYPE_INVALID;
    EXPECT_EQ(0, kfdRequest(machine_, AMDKFD_IOC_CREATE_QUEUE, &arguments));
    queueId_ = arguments.queue_id;
  }
  ~Queue() {
    kfd_ioctl_destroy_queue_args arguments{.queue_id = queueId_, .pad = 0};
    EXPECT_EQ(0, kfdRequest(machine_, AMDKFD_IOC_DESTROY_QUEUE, &arguments));
  }

  /// Puts `packet` into the ring with the queue's signal as its completion, and waits for it.
  template <typename Packet>
  void run(Packet packet) {
    signalValue().store(1);
    packet.completion_signal.handle = buffer_.address(kSignal);
    const uint64_t index = writeIndex_++;
    auto* slot = &this->packet(index);
    std::memcpy(reinterpret_cast<std::byte*>(slot) + sizeof(packet.header),
                reinterpret_cast<const std::byte*>(&packet) + sizeof(packet.header),
                sizeof(packet) - sizeof(packet.header));
    std::atomic_ref(slot->header).store(packet.header, std::memory_order_release);
    field(&amd_queue_t::write_dispatch_id).store(writeIndex_, std::memory_order_release);
    while (signalValue().load(std::memory_order_acquire) != 0)
      sched_yield();
  }

  uint64_t finished() { return field(&amd_queue_t::read_dispatch_id).load(); }

private:
  static constexpr uint64_t kQueue = 0, kSignal = 8192, kRing = 65536, kSlots = 64;

  hsa_barrier_and_packet_t& packet(uint64_t index) {
    return buffer_.at<hsa_barrier_and_packet_t>(kRing + index % kSlots * 64);
  }
  std::atomic_ref<int64_t> signalValue() {
    return std::atomic_ref(
        const_cast<int64_t&>(buffer_.at<amd_signal_t>(kSignal).value));
  }
  std::atomic_ref<uint64_t> field(volatile uint64_t amd_queue_t::*member) {
    return std::atomic_ref(const_cast<uint64_t&>(buffer_.at<amd_queue_t>(kQueue).*member));
  }

  Machine& machine_;
  Buffer buffer_;
  uint32_t queueId_ = 0;
  uint64_t writeIndex_ = 0;
};

hsa_barrier_and_packet_t barrier() {
  hsa_barrier_and_packet_t packet{};
  packet.header = HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE;
  return packet;
}

class Threads : public testing::Test {
protected:
  static void SetUpTestSuite() { setenv("AMDGPU_SIMULATOR_GPUS", "gfx90a:2", 1); }

  /// Runs `work(i)` in a thread for each queue.
  static void inThreads(const std::function<void(std::size_t)>& work) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kQueues; ++i)
      threads.emplace_back(work, i);
    for (std::thread& thread : threads)
      thread.join();
  }

  Machine& machine_ = Machine::instance();
};

} // namespace

TEST_F(Threads, QueuesAtWorkWhileMemoryComesAndGoes) {
  constexpr int kPackets = 150;
  inThreads([&](std::size_t i) {
    Queue queue(machine_, i % kGpus);
    for (int packet = 0; packet < kPackets; ++packet) {
      const Buffer passing(machine_);
      queue.run(barrier());
    }
    EXPECT_EQ(uint64_t{kPackets}, queue.finished());
  });
}

TEST_F(Threads, QueuesComeAndGoBesideEachOther) {
  inThreads([&](std::size_t i) {
    for (int round = 0; round < 20; ++round) {
      Queue queue(machine_, (i + static_cast<std::size_t>(round)) % kGpus);
      queue.run(barrier());
      EXPECT_EQ(1u, queue.finished());
    }
  });
}

TEST_F(Threads, OneKernelIsDecodedByManyQueuesAtOnce) {
  constexpr uint64_t kDescriptor = 0, kEntry = 4096;
  constexpr uint32_t kNothing = 0xbf800000, kEnd = 0xbf810000; // s_nop 0, s_endpgm
  const Buffer code(machine_);
  code.at<int64_t>(kDescriptor + 16) = kEntry - kDescriptor; // where the code is
  for (uint64_t word = 0; word < 500; ++word)
    code.at<uint32_t>(kEntry + 4 * word) = word < 499 ? kNothing : kEnd;
  hsa_kernel_dispatch_packet_t packet{};
  packet.header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE;
  packet.setup = 1;
  packet.workgroup_size_x = packet.grid_size_x = 64;
  packet.workgroup_size_y = packet.workgroup_size_z = packet.grid_size_y = packet.grid_size_z = 1;
  packet.kernel_object = code.address(kDescriptor);
  inThreads([&](std::size_t) {
    Queue queue(machine_, 0);
    for (int i = 0; i < 10; ++i)
      queue.run(packet);
    EXPECT_EQ(10u, queue.finished());
  });
}

} // namespace gpusim::test
