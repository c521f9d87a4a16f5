// Dispatches that cannot start, and code memory that is reused.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "assembler.h"
#include "flat_memory.h"
#include "interpreter/interpreter.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kCode = 0x7f0000000000;
constexpr uint64_t kDescriptor = 0x7f0000100000;
constexpr uint64_t kOut = 0x7f0000200000;

class Launch : public testing::Test {
protected:
  void SetUp() override {
    memory_.map(kCode, 8192);
    memory_.map(kDescriptor, 64);
    memory_.map(kOut, 4096);
    memory_.write(kDescriptor + 16, kCode - kDescriptor);
    memory_.write(kDescriptor + 52, 2u << 1);
    memory_.write(kDescriptor + 56, static_cast<uint16_t>(1u << 3));
    dispatch_.architecture = "gfx90a";
    dispatch_.packet.kernel_object = kDescriptor;
    dispatch_.packet.kernarg_address = reinterpret_cast<void*>(kOut);
    dispatch_.packet.grid_size_x = dispatch_.packet.workgroup_size_x = 64;
    dispatch_.packet.grid_size_y = dispatch_.packet.workgroup_size_y = 1;
    dispatch_.packet.grid_size_z = dispatch_.packet.workgroup_size_z = 1;
  }
  void place(uint64_t address, const std::string& text) {
    const auto code = assemble(text, processor_);
    ASSERT_FALSE(code.empty()) << text;
    std::memcpy(memory_.host(address), code.data(), code.size());
  }
  KernelExecution::Progress run() { return run(memory_); }
  KernelExecution::Progress run(const GuestMemory& memory) {
    const auto execution = startDispatch(dispatch_, memory, *cache_, {});
    const auto progress = execution->run(100000);
    fault_ = execution->fault();
    return progress;
  }
  /// What the waves find in the scalar register, bits of all of them together.
  uint32_t valueOf(const std::string& scalar) {
    memory_.write(kOut, 0u);
    place(kCode, "v_mov_b32 v2, s0\nv_mov_b32 v3, s1\nv_mov_b32 v4, " + scalar +
                     "\nglobal_atomic_or v[2:3], v4, off\ns_endpgm\n");
    EXPECT_EQ(run(), KernelExecution::Progress::Finished) << fault_.message;
    return memory_.read<uint32_t>(kOut);
  }
  /// Makes the machine another one.
  void become(const std::string& processor) {
    processor_ = processor;
    dispatch_.architecture = processor_;
    cache_ = makeCodeCache(processor_);
  }
  void expectInvalid(const std::string& part) {
    ASSERT_EQ(run(), KernelExecution::Progress::Faulted);
    EXPECT_EQ(fault_.kind, Fault::Kind::InvalidDispatch);
    EXPECT_NE(fault_.message.find(part), std::string::npos) << fault_.message;
  }

  std::string processor_ = "gfx90a";
  FlatMemory memory_;
  Dispatch dispatch_;
  std::unique_ptr<CodeCache> cache_ = makeCodeCache("gfx90a");
  Fault fault_;
};

const char* const kStoreText = "v_mov_b32 v2, s0\nv_mov_b32 v3, s1\n"
                               "v_mov_b32 v4, {}\n"
                               "global_store_dword v[2:3], v4, off\n"
                               "s_endpgm\n";

std::string storing(uint32_t value) {
  std::string text = kStoreText;
  return text.replace(text.find("{}"), 2, std::to_string(value));
}

TEST_F(Launch, ReusedCodeMemoryIsDecodedAgain) {
  place(kCode, storing(1));
  ASSERT_EQ(run(), KernelExecution::Progress::Finished) << fault_.message;
  EXPECT_EQ(memory_.read<uint32_t>(kOut), 1u);
  place(kCode, storing(2));
  ASSERT_EQ(run(), KernelExecution::Progress::Finished) << fault_.message;
  EXPECT_EQ(memory_.read<uint32_t>(kOut), 2u);
}

TEST_F(Launch, InstructionsMayStraddlePages) {
  memory_.write(kDescriptor + 16, kCode + 4096 - 12 - kDescriptor);
  place(kCode + 4096 - 12, storing(0x12345)); // the literal of the third move is on the next page
  ASSERT_EQ(run(), KernelExecution::Progress::Finished) << fault_.message;
  EXPECT_EQ(memory_.read<uint32_t>(kOut), 0x12345u);
}

/// Keeps the texts of what was executed.
class Recorder final : public InstructionTrace {
public:
  void executing(const TracedInstruction& instruction) override {
    texts.emplace_back(instruction.text);
    addresses.push_back(instruction.pc);
    exec = instruction.exec;
  }
  std::vector<std::string> texts;
  std::vector<uint64_t> addresses;
  uint64_t exec = 0;
};

TEST_F(Launch, TraceHasEveryInstructionOnceAcrossPages) {
  Recorder recorder;
  dispatch_.trace = &recorder;
  dispatch_.packet.grid_size_x = 40; // lanes of the only wave
  memory_.write(kDescriptor + 16, kCode + 4096 - 8 - kDescriptor);
  place(kCode + 4096 - 8, storing(7));
  ASSERT_EQ(run(), KernelExecution::Progress::Finished) << fault_.message;
  ASSERT_EQ(recorder.texts.size(), 5u);
  EXPECT_EQ(recorder.texts[2], "v_mov_b32_e32 v4, 7");
  EXPECT_EQ(recorder.texts[4], "s_endpgm");
  EXPECT_EQ(recorder.addresses[0], kCode + 4096 - 8);
  EXPECT_EQ(recorder.addresses[2], kCode + 4096);
  EXPECT_EQ(recorder.exec, (uint64_t{1} << 40) - 1);
}

TEST_F(Launch, GroupInformationHoldsTheNumberOfWavesAndMarksTheFirst) {
  memory_.write(kDescriptor + 52, 2u << 1 | 1u << 10);
  EXPECT_EQ(valueOf("s2"), 0x80000001u);
}

TEST_F(Launch, PrivateSegmentTakesAScalarOnlyWithoutArchitectedFlatScratch) {
  constexpr uint64_t kScratch = 0x7f0000300000;
  constexpr uint64_t kBytesPerWave = 64 * 64;
  memory_.map(kScratch, 1u << 16);
  dispatch_.scratch = {kScratch, kBytesPerWave, 2};
  dispatch_.packet.private_segment_size = 64;
  dispatch_.packet.grid_size_x = 128; // the second group runs in the second slot
  memory_.write(kDescriptor + 52, 1u | 2u << 1 | 1u << 7);
  EXPECT_EQ(valueOf("s3"), kBytesPerWave);
  become("gfx942");
  EXPECT_EQ(valueOf("s3"), 0u);
  EXPECT_EQ(valueOf("flat_scratch_hi"), kScratch >> 32);
}

TEST_F(Launch, ChangedSecondHalfOfAStraddlingInstructionIsSeen) {
  memory_.write(kDescriptor + 16, kCode + 4096 - 12 - kDescriptor);
  for (const uint32_t value : {0x12345u, 0x54321u}) {
    place(kCode + 4096 - 12, storing(value));
    ASSERT_EQ(run(), KernelExecution::Progress::Finished) << fault_.message;
    EXPECT_EQ(memory_.read<uint32_t>(kOut), value);
  }
}

/// Another memory, and behind its code a mapping whose bytes the program has just taken away.
class WithLostNeighbour final : public GuestMemory {
public:
  explicit WithLostNeighbour(const FlatMemory& memory) : memory_(memory) {}
  ~WithLostNeighbour() override { munmap(lost_, kBytes); }
  WithLostNeighbour(const WithLostNeighbour&) = delete;
  WithLostNeighbour& operator=(const WithLostNeighbour&) = delete;

  MemoryRange find(uint64_t address) const override {
    constexpr uint64_t kBegin = kCode + 8192;
    if (address - kBegin < kBytes)
      return {kBegin, kBegin + kBytes, static_cast<std::byte*>(lost_), true};
    return memory_.find(address);
  }
  uint64_t generation() const noexcept override { return memory_.generation(); }

private:
  static constexpr uint64_t kBytes = 4096;
  const FlatMemory& memory_;
  void* const lost_ = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

TEST_F(Launch, CodeIsNotReadBeyondItsMapping) {
  memory_.write(kDescriptor + 16, kCode + 4096 - kDescriptor);
  place(kCode + 4096, storing(5));
  const WithLostNeighbour memory(memory_);
  ASSERT_EQ(run(memory), KernelExecution::Progress::Finished) << fault_.message;
  EXPECT_EQ(memory_.read<uint32_t>(kOut), 5u);
}

TEST_F(Launch, AnInstructionThatDoesNotFitItsMappingIsIllegal) {
  memory_.write(kDescriptor + 16, kCode + 8192 - 12 - kDescriptor);
  const auto code = assemble(storing(0x12345), processor_);
  std::memcpy(memory_.host(kCode + 8192 - 12), code.data(), 12); // all but the literal
  memory_.map(kCode + 8192, 4096);
  ASSERT_EQ(run(), KernelExecution::Progress::Faulted);
  EXPECT_EQ(fault_.kind, Fault::Kind::IllegalInstruction) << fault_.message;
  EXPECT_EQ(fault_.pc, kCode + 8192 - 4);
}

TEST_F(Launch, RunningOffTheEndOfCodeIsAFault) {
  place(kCode, "s_branch 0x7ff\n"); // to the end of the mapping
  ASSERT_EQ(run(), KernelExecution::Progress::Faulted);
  EXPECT_EQ(fault_.kind, Fault::Kind::MemoryViolation) << fault_.message;
  EXPECT_EQ(fault_.address, kCode + 8192);
}

TEST_F(Launch, ReadOnlyMemoryIsNotWritten) {
  memory_.map(kOut, 4096, false);
  place(kCode, storing(1));
  ASSERT_EQ(run(), KernelExecution::Progress::Faulted);
  EXPECT_EQ(fault_.kind, Fault::Kind::MemoryViolation);
  EXPECT_EQ(memory_.read<uint32_t>(kOut), 0u);
}

TEST_F(Launch, UnmappedDescriptorIsRefused) {
  dispatch_.packet.kernel_object = 0x4000;
  expectInvalid("descriptor");
}
TEST_F(Launch, EmptyGridIsRefused) {
  dispatch_.packet.grid_size_y = 0;
  expectInvalid("dimension 1");
}
TEST_F(Launch, TooLargeWorkgroupIsRefused) {
  dispatch_.packet.workgroup_size_x = 1025;
  dispatch_.packet.grid_size_x = 2000;
  expectInvalid("1025");
}
TEST_F(Launch, MissingScratchIsRefused) {
  dispatch_.packet.private_segment_size = 16;
  expectInvalid("scratch");
}
TEST_F(Launch, TooLargeGroupSegmentIsRefused) {
  dispatch_.packet.group_segment_size = 65537;
  expectInvalid("65537");
}
TEST_F(Launch, Wave32KernelIsRefused) {
  memory_.write(kDescriptor + 56, static_cast<uint16_t>(1u << 10));
  expectInvalid("32 lanes");
}
TEST(CodeCache, UnknownArchitectureHasNone) {
  EXPECT_EQ(makeCodeCache("gfx1200"), nullptr);
}

} // namespace
} // namespace gpusim::test
