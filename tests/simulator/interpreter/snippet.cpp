#include "snippet.h"

#include <fmt/format.h>

#include "assembler.h"

namespace gpusim::test {

namespace {

constexpr uint64_t kCode = 0x7f0000000000;
constexpr uint64_t kDescriptor = 0x7f0000080000;
constexpr uint64_t kRegisters = 0x7f0000200000; // saved registers, 64 dwords each
constexpr uint64_t kScratch = 0x7f0000300000;
constexpr unsigned kScalarBlock = 512;
constexpr unsigned kResultBlock = 600; // VCC, EXEC, SCC

uint64_t block(unsigned index) {
  return kRegisters + 256u * index;
}

/// v255 holds 4 * lane throughout the frame.
std::string vectorTransfer(const char* operation, unsigned index, uint64_t from, bool store) {
  const auto offset = static_cast<uint32_t>(from - kRegisters);
  std::string text = fmt::format("s_add_u32 s72, s70, {:#x}\ns_addc_u32 s73, s71, 0\n", offset);
  text += store ? fmt::format("{} v255, v{}, s[72:73]\n", operation, index)
                : fmt::format("{} v{}, v255, s[72:73]\ns_waitcnt vmcnt(0)\n", operation, index);
  return text;
}

/// A descriptor for code at kCode: kernarg pointer in s[0:1], everything else default.
std::array<uint8_t, 64> descriptor(unsigned lanes) {
  std::array<uint8_t, 64> bytes{};
  const auto put = [&](unsigned offset, uint64_t value, unsigned count) {
    std::memcpy(&bytes[offset], &value, count);
  };
  put(16, kCode - kDescriptor, 8);
  put(48, 0xfu << 6 | 3u << 16 | 3u << 18 | 1u << 21 | 1u << 23 | 63u, 4); // denormals, DX10, IEEE
  put(52, 2u << 1, 4);                                                     // two user SGPRs
  put(56, 1u << 3 | (lanes == 32 ? 1u << 10 : 0), 2); // kernarg pointer, size of the wave
  return bytes;
}

} // namespace

std::string Snippet::frame() const {
  std::string text = "s_mov_b64 s[70:71], s[0:1]\nv_lshlrev_b32 v255, 2, v0\n";
  for (const auto& [index, lanes] : vectorsIn_) {
    text += vectorTransfer("global_load_dword", index, block(index), false);
  }
  for (const auto& [index, value] : scalarsIn_) {
    text += fmt::format("s_mov_b32 s{}, {:#x}\n", index, value);
  }
  text +=
      fmt::format("s_mov_b32 s60, {:#x}\ns_mov_b32 s61, {:#x}\n", kData & 0xffffffff, kData >> 32);
  text += fmt::format("s_mov_b32 exec_lo, {:#x}\ns_mov_b32 exec_hi, {:#x}\n", exec_ & 0xffffffff,
                      exec_ >> 32);
  text += text_ + "\n";
  text += "s_cselect_b32 s79, 1, 0\ns_mov_b64 s[76:77], exec\ns_mov_b64 exec, -1\n";
  for (const auto& [index, lanes] : vectorsOut_) {
    text += vectorTransfer("global_store_dword", index, block(index), true);
  }
  const auto storeScalar = [&](const std::string& name, unsigned position) {
    text += fmt::format("v_mov_b32 v254, {}\n", name);
    text += vectorTransfer("global_store_dword", 254, block(position), true);
  };
  for (const auto& [index, value] : scalarsOut_) {
    storeScalar(fmt::format("s{}", index), kScalarBlock + index);
  }
  storeScalar("vcc_lo", kResultBlock);
  storeScalar("vcc_hi", kResultBlock + 1);
  storeScalar("s76", kResultBlock + 2);
  storeScalar("s77", kResultBlock + 3);
  storeScalar("s79", kResultBlock + 4);
  return text + "s_endpgm\n";
}

void Snippet::layOut() {
  memory.map(kDescriptor, 64);
  memory.write(kDescriptor, descriptor(lanes_));
  memory.map(kRegisters, 1u << 18);
  memory.map(kScratch, 1u << 16);
  if (memory.host(kData) == nullptr) {
    memory.map(kData, 1u << 16);
  }
  for (const auto& [index, lanes] : vectorsIn_) {
    memory.write(block(index), lanes);
  }
}

void Snippet::readBack() {
  for (auto& [index, lanes] : vectorsOut_) {
    lanes = memory.read<Lanes>(block(index));
  }
  for (auto& [index, value] : scalarsOut_) {
    value = memory.read<uint32_t>(block(kScalarBlock + index));
  }
  const auto word = [&](unsigned index) {
    return memory.read<uint32_t>(block(kResultBlock + index));
  };
  vcc_ = word(0) | static_cast<uint64_t>(word(1)) << 32;
  execOut_ = word(2) | static_cast<uint64_t>(word(3)) << 32;
  scc_ = word(4);
}

bool Snippet::run() {
  const bool isRdna = processor_.starts_with("gfx1");
  const std::vector<std::byte> code =
      assemble(frame(), processor_, isRdna ? fmt::format("+wavefrontsize{}", lanes_) : "");
  if (code.empty()) {
    fault_.message = "the snippet was not assembled";
    return false;
  }
  memory.map(kCode, code.size());
  std::memcpy(memory.host(kCode), code.data(), code.size());
  layOut();
  Dispatch dispatch;
  dispatch.architecture = processor_;
  dispatch.waveSync = &waveSync;
  dispatch.localOverrun = localOverrun_;
  dispatch.packet.grid_size_x = lanes_;
  dispatch.packet.workgroup_size_x = static_cast<uint16_t>(lanes_);
  dispatch.packet.grid_size_y = dispatch.packet.workgroup_size_y = 1;
  dispatch.packet.grid_size_z = dispatch.packet.workgroup_size_z = 1;
  dispatch.packet.group_segment_size = ldsBytes_;
  dispatch.packet.private_segment_size = 256;
  dispatch.packet.kernel_object = kDescriptor;
  dispatch.packet.kernarg_address = reinterpret_cast<void*>(kRegisters);
  dispatch.scratch = {kScratch, 256 * 64, 4};
  dispatch.sharedAperture = kSharedAperture;
  dispatch.privateAperture = kPrivateAperture;
  const auto cache = makeCodeCache(dispatch.architecture);
  const auto execution = startDispatch(dispatch, memory, *cache, Schedule{});
  KernelExecution::Progress progress = KernelExecution::Progress::Running;
  for (unsigned turn = 0; turn < 1000 && progress == KernelExecution::Progress::Running; ++turn) {
    progress = execution->run(10000);
  }
  fault_ = execution->fault();
  statistics_ = execution->statistics();
  if (progress != KernelExecution::Progress::Finished) {
    return false;
  }
  readBack();
  return true;
}

} // namespace gpusim::test
