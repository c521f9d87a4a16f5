// The machine as raw HSA sees it: agents, pools, queues.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#define HSA_OK(call) ASSERT_EQ(HSA_STATUS_SUCCESS, (call))

inline std::string nameOf(hsa_agent_t agent) {
  char name[64] = {};
  EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name));
  return name;
}

/// Starts HSA for each test and lists what there is.
class HsaTest : public testing::Test {
protected:
  void SetUp() override {
    HSA_OK(hsa_init());
    HSA_OK(hsa_iterate_agents(addAgent, this));
    ASSERT_EQ(1u, cpus_.size());
    ASSERT_FALSE(gpus_.empty());
  }

  void TearDown() override { HSA_OK(hsa_shut_down()); }

  /// The agent's coarse-grained pool; every agent of the machine has one.
  static hsa_amd_memory_pool_t poolOf(hsa_agent_t agent) {
    hsa_amd_memory_pool_t pool{};
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_amd_agent_iterate_memory_pools(agent, keepCoarse, &pool));
    return pool;
  }

  /// Zeroed memory of `agent` that every GPU reaches; leaked until HSA shuts down.
  std::byte* allocate(hsa_agent_t agent, size_t size) {
    void* memory = nullptr;
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_amd_memory_pool_allocate(poolOf(agent), size, 0, &memory));
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_amd_agents_allow_access(static_cast<uint32_t>(gpus_.size()),
                                                              gpus_.data(), nullptr, memory));
    return static_cast<std::byte*>(memory);
  }

  static hsa_signal_t makeSignal(hsa_signal_value_t value) {
    hsa_signal_t signal{};
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_signal_create(value, 0, nullptr, &signal));
    return signal;
  }

  static void waitForZero(hsa_signal_t signal) {
    hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX,
                              HSA_WAIT_STATE_BLOCKED);
  }

  void copy(void* to, hsa_agent_t toAgent, const void* from, hsa_agent_t fromAgent, size_t size) {
    const hsa_signal_t done = makeSignal(1);
    HSA_OK(hsa_amd_memory_async_copy(to, toAgent, from, fromAgent, size, 0, nullptr, done));
    waitForZero(done);
    HSA_OK(hsa_signal_destroy(done));
  }

  std::vector<hsa_agent_t> cpus_;
  std::vector<hsa_agent_t> gpus_;

private:
  static hsa_status_t addAgent(hsa_agent_t agent, void* data) {
    auto& test = *static_cast<HsaTest*>(data);
    hsa_device_type_t type{};
    const hsa_status_t status = hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    (type == HSA_DEVICE_TYPE_GPU ? test.gpus_ : test.cpus_).push_back(agent);
    return status;
  }

  static hsa_status_t keepCoarse(hsa_amd_memory_pool_t pool, void* data) {
    hsa_amd_segment_t segment{};
    uint32_t flags = 0;
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
    if (segment != HSA_AMD_SEGMENT_GLOBAL)
      return HSA_STATUS_SUCCESS;
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
    if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) != 0)
      *static_cast<hsa_amd_memory_pool_t*>(data) = pool;
    return HSA_STATUS_SUCCESS;
  }
};

/// An AQL queue to put packets into; remembers the error that stopped it.
class TestQueue {
public:
  explicit TestQueue(hsa_agent_t agent, uint32_t size = 64) {
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_queue_create(agent, size, HSA_QUEUE_TYPE_MULTI, onError, this,
                                                   UINT32_MAX, UINT32_MAX, &queue_));
  }
  ~TestQueue() { EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_queue_destroy(queue_)); }
  TestQueue(const TestQueue&) = delete;
  TestQueue& operator=(const TestQueue&) = delete;

  /// Writes a 64-byte packet, its header last, and rings the doorbell. The index of the packet.
  template <typename Packet>
  uint64_t submit(const Packet& packet) {
    static_assert(sizeof(Packet) == 64);
    const uint64_t index = hsa_queue_add_write_index_scacq_screl(queue_, 1);
    while (index - hsa_queue_load_read_index_scacquire(queue_) >= queue_->size) {
    }
    auto* slot = static_cast<std::byte*>(queue_->base_address) + (index % queue_->size) * 64;
    const auto* bytes = reinterpret_cast<const std::byte*>(&packet);
    std::memcpy(slot + 4, bytes + 4, 60);
    uint32_t first = 0;
    std::memcpy(&first, bytes, sizeof(first));
    __atomic_store_n(reinterpret_cast<uint32_t*>(slot), first, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue_->doorbell_signal, static_cast<hsa_signal_value_t>(index));
    return index;
  }

  /// The error that the runtime reported; waits for it.
  hsa_status_t waitForError() {
    hsa_signal_wait_scacquire(failed_, HSA_SIGNAL_CONDITION_NE, 0, UINT64_MAX,
                              HSA_WAIT_STATE_BLOCKED);
    return static_cast<hsa_status_t>(hsa_signal_load_scacquire(failed_));
  }

  hsa_queue_t* get() const { return queue_; }

private:
  static void onError(hsa_status_t status, hsa_queue_t*, void* data) {
    hsa_signal_store_screlease(static_cast<TestQueue*>(data)->failed_, status);
  }

  static hsa_signal_t makeFlag() {
    hsa_signal_t signal{};
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_signal_create(0, 0, nullptr, &signal));
    return signal;
  }

  hsa_signal_t failed_ = makeFlag();
  hsa_queue_t* queue_ = nullptr;
};

/// A barrier packet of `type` on up to five signals.
inline hsa_barrier_and_packet_t barrier(hsa_packet_type_t type, hsa_signal_t completion,
                                        const std::vector<hsa_signal_t>& dependencies = {}) {
  hsa_barrier_and_packet_t packet{};
  packet.header = static_cast<uint16_t>(type << HSA_PACKET_HEADER_TYPE);
  packet.completion_signal = completion;
  for (size_t i = 0; i < dependencies.size(); ++i)
    packet.dep_signal[i] = dependencies[i];
  return packet;
}
