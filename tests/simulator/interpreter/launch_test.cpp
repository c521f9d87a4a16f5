// Dispatches that cannot start, and code memory that is reused.
#include <gtest/gtest.h>

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
    const auto code = assemble(text);
    ASSERT_FALSE(code.empty()) << text;
    std::memcpy(memory_.host(address), code.data(), code.size());
  }
  KernelExecution::Progress run() {
    const auto execution = startDispatch(dispatch_, memory_, *cache_, {});
    const auto progress = execution->run(100000);
    fault_ = execution->fault();
    return progress;
  }
  void expectInvalid(const std::string& part) {
    ASSERT_EQ(run(), KernelExecution::Progress::Faulted);
    EXPECT_EQ(fault_.kind, Fault::Kind::InvalidDispatch);
    EXPECT_NE(fault_.message.find(part), std::string::npos) << fault_.message;
  }

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

TEST_F(Launch, ChangedSecondHalfOfAStraddlingInstructionIsSeen) {
  memory_.write(kDescriptor + 16, kCode + 4096 - 12 - kDescriptor);
  for (const uint32_t value : {0x12345u, 0x54321u}) {
    place(kCode + 4096 - 12, storing(value));
    ASSERT_EQ(run(), KernelExecution::Progress::Finished) << fault_.message;
    EXPECT_EQ(memory_.read<uint32_t>(kOut), value);
  }
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
