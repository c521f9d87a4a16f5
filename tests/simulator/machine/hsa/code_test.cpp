// Kernels that clang compiled at -O0 and -O2, loaded and launched through the real runtime without
// HIP; results against the same functions compiled for the host.

#include <fcntl.h>
#include <unistd.h>

#include "hsa_machine.h"
#include "kernels/functions.h"

namespace {

/// The hidden arguments of code object version 5 for one dimension.
struct HiddenArguments {
  uint32_t groups[3];
  uint16_t groupSizes[3];
  uint16_t remainders[3];
  uint64_t rest[32];
};

} // namespace

/// A parameter is the path of a code object for gfx90a.
class Code : public HsaTest, public testing::WithParamInterface<const char*> {
protected:
  static constexpr uint32_t kItems = 1000; // the last group is not full
  static constexpr uint32_t kGroup = 192;

  void SetUp() override {
    HsaTest::SetUp();
    gpu_ = gpus_[0];
    ASSERT_EQ("gfx90a", nameOf(gpu_));
    const int file = open(GetParam(), O_RDONLY);
    ASSERT_GE(file, 0) << GetParam();
    hsa_code_object_reader_t reader{};
    HSA_OK(hsa_code_object_reader_create_from_file(file, &reader));
    HSA_OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                     nullptr, &executable_));
    HSA_OK(hsa_executable_load_agent_code_object(executable_, gpu_, reader, nullptr, nullptr));
    HSA_OK(hsa_executable_freeze(executable_, nullptr));
    HSA_OK(hsa_code_object_reader_destroy(reader));
    close(file);
    in_ = reinterpret_cast<uint32_t*>(allocate(cpus_[0], 4 * kItems));
    out_ = allocate(cpus_[0], 8 * kItems);
  }
  void TearDown() override {
    HSA_OK(hsa_executable_destroy(executable_));
    HsaTest::TearDown();
  }

  template <class T>
  T symbolInfo(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute) {
    T value{};
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_executable_symbol_get_info(symbol, attribute, &value));
    return value;
  }

  /// Kernel arguments: `words` and the hidden ones behind them.
  std::byte* argumentsOf(const std::vector<uint64_t>& words) {
    const HiddenArguments hidden = {
        {kItems / kGroup, 1, 1}, {kGroup, 1, 1}, {kItems % kGroup, 0, 0}, {}};
    const size_t explicitBytes = words.size() * sizeof(uint64_t);
    std::byte* bytes = allocate(cpus_[0], explicitBytes + sizeof hidden);
    std::memcpy(bytes, words.data(), explicitBytes);
    std::memcpy(bytes + explicitBytes, &hidden, sizeof hidden);
    return bytes;
  }

  hsa_kernel_dispatch_packet_t packetOf(const std::string& kernel, std::vector<uint64_t> words) {
    hsa_executable_symbol_t symbol{};
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_executable_get_symbol_by_name(
                                      executable_, (kernel + ".kd").c_str(), &gpu_, &symbol));
    words.insert(words.begin(), reinterpret_cast<uint64_t>(out_));
    constexpr uint32_t kStackBytes = 4096; // recursion has no bound that the compiler knows
    hsa_kernel_dispatch_packet_t packet{};
    packet.header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    packet.setup = 1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
    packet.workgroup_size_x = kGroup;
    packet.workgroup_size_y = packet.workgroup_size_z = 1;
    packet.grid_size_x = kItems;
    packet.grid_size_y = packet.grid_size_z = 1;
    packet.private_segment_size = kStackBytes;
    packet.group_segment_size =
        symbolInfo<uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
    packet.kernel_object = symbolInfo<uint64_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    packet.kernarg_address = argumentsOf(words);
    packet.completion_signal = makeSignal(1);
    return packet;
  }

  void run(const std::string& kernel, const std::vector<uint64_t>& words) {
    TestQueue queue(gpu_);
    const hsa_kernel_dispatch_packet_t packet = packetOf(kernel, words);
    queue.submit(packet);
    waitForZero(packet.completion_signal);
  }

  /// Runs a kernel with the single argument `out` and compares every element.
  template <class T>
  void expectElements(const std::string& kernel, T (*function)(Word)) {
    ASSERT_NO_FATAL_FAILURE(run(kernel, {}));
    for (uint32_t id = 0; id < kItems; ++id)
      ASSERT_EQ(function(id), reinterpret_cast<T*>(out_)[id]) << kernel << ", work-item " << id;
  }

  hsa_agent_t gpu_{};
  hsa_executable_t executable_{};
  uint32_t* in_ = nullptr;
  std::byte* out_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Compiled, Code, testing::Values(KERNEL_OBJECTS),
                         [](const auto& info) { return info.index == 0 ? "O0" : "O2"; });

TEST_P(Code, ArgumentsAndPartialGroups) {
  for (uint32_t id = 0; id < kItems; ++id)
    in_[id] = id * 77777u;
  ASSERT_NO_FATAL_FAILURE(run("scrambleKernel", {reinterpret_cast<uint64_t>(in_), kItems - 1}));
  const auto* out = reinterpret_cast<uint32_t*>(out_);
  for (uint32_t id = 0; id + 1 < kItems; ++id)
    ASSERT_EQ(scramble(id * 77777u), out[id]) << id;
  EXPECT_EQ(0u, out[kItems - 1]) << "the kernel's own limit";
}

TEST_P(Code, ArithmeticOfEveryWidth) {
  expectElements<Wide>("wideKernel", wideArithmetic);
  expectElements<Wide>("divisionKernel", divisions);
  expectElements<Word>("bitKernel", bitTricks);
}

TEST_P(Code, PrivateArraysCallsAndRecursion) {
  expectElements<Word>("scratchKernel", scratchArray);
  expectElements<Word>("indirectKernel", [](Word id) { return id % 2 == 0 ? id * 3 : id + 7; });
  expectElements<Word>("ackermannKernel", [](Word id) { return ackermann(id % 3, id % 5); });
}

/// At -O0 the kernel has the argument that HIP 5.2.3 crashes for.
TEST_P(Code, ACrashOfTheProgramIsNotBlamedOnTheKernelBeforeIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  TestQueue queue(gpu_);
  const hsa_kernel_dispatch_packet_t packet = packetOf("indirectKernel", {});
  queue.submit(packet);
  waitForZero(packet.completion_signal);
  int* volatile nowhere = nullptr;
  EXPECT_EXIT(*nowhere = 1, testing::KilledBySignal(SIGSEGV), "^$");
}
