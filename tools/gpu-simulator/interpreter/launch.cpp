#include "launch.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gpusim {

namespace {

/// The kernel descriptor of code object version 3 and later (LLVM's AMDGPUUsage, "Kernel
/// Descriptor").
struct KernelDescriptor {
  uint32_t groupSegmentBytes;
  uint32_t privateSegmentBytes;
  uint32_t kernargBytes;
  uint8_t reserved0[4];
  int64_t entryOffset;
  uint8_t reserved1[20];
  uint32_t resources3;
  uint32_t resources1;
  uint32_t resources2;
  uint16_t codeProperties;
  uint16_t kernargPreload;
  uint8_t reserved2[4];
};
static_assert(sizeof(KernelDescriptor) == 64);

enum CodeProperty : uint16_t {
  kPrivateSegmentBuffer = 1u << 0,
  kDispatchPointer = 1u << 1,
  kQueuePointer = 1u << 2,
  kKernargPointer = 1u << 3,
  kDispatchId = 1u << 4,
  kFlatScratchInit = 1u << 5,
  kPrivateSegmentSize = 1u << 6,
  kWavefront32 = 1u << 10,
};

constexpr uint32_t kLdsGranule = 512;
constexpr uint32_t kMaxLdsBytes = 65536;
constexpr uint32_t kMaxGroupSize = 1024;

uint32_t lanesOf(const KernelDescriptor& descriptor) {
  return (descriptor.codeProperties & kWavefront32) != 0 ? 32 : kLanes;
}

uint32_t bits(uint32_t word, unsigned low, unsigned count) {
  return word >> low & ((1u << count) - 1);
}

/// Collects user SGPRs in the order of the descriptor's property bits.
class UserScalars {
public:
  explicit UserScalars(Launch& launch) : launch_(launch) {}

  void add(uint32_t value) {
    if (count_ < launch_.scalars.size()) {
      launch_.scalars[count_++] = value;
    }
  }
  void addPair(uint64_t value) {
    add(static_cast<uint32_t>(value));
    add(static_cast<uint32_t>(value >> 32));
  }
  uint32_t count() const noexcept { return count_; }

private:
  Launch& launch_;
  uint32_t count_ = 0;
};

/// A swizzled buffer over all scratch slots: dwords of a wave's lanes interleave.
void addScratchBuffer(UserScalars& scalars, const ScratchArea& scratch, uint32_t lanes) {
  constexpr uint32_t kSwizzle = 1u << 31;
  const uint32_t indexStride = (lanes == 64 ? 3u : 2u) << 21;
  constexpr uint32_t kAddLane = 1u << 23;
  constexpr uint32_t kIdentitySelect = 0xfac; // x, y, z, w
  constexpr uint32_t kFormat32Float = 7u << 12 | 4u << 15;
  const uint64_t bytes = scratch.bytesPerWave * scratch.slots;
  scalars.add(static_cast<uint32_t>(scratch.base));
  scalars.add((static_cast<uint32_t>(scratch.base >> 32) & 0xffff) | kSwizzle);
  scalars.add(static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffff)));
  scalars.add(kIdentitySelect | kFormat32Float | indexStride | kAddLane);
}

void setUserScalars(Launch& launch, const KernelDescriptor& descriptor, const Dispatch& dispatch) {
  UserScalars scalars(launch);
  const uint16_t properties = descriptor.codeProperties;
  if ((properties & kPrivateSegmentBuffer) != 0) {
    addScratchBuffer(scalars, dispatch.scratch, launch.lanes);
  }
  if ((properties & kDispatchPointer) != 0) {
    scalars.addPair(dispatch.packetAddress);
  }
  if ((properties & kQueuePointer) != 0) {
    scalars.addPair(dispatch.queueAddress);
  }
  if ((properties & kKernargPointer) != 0) {
    scalars.addPair(reinterpret_cast<uint64_t>(dispatch.packet.kernarg_address));
  }
  if ((properties & kDispatchId) != 0) {
    scalars.addPair(dispatch.dispatchId);
  }
  if ((properties & kFlatScratchInit) != 0) {
    scalars.addPair(dispatch.scratch.base);
  }
  if ((properties & kPrivateSegmentSize) != 0) {
    scalars.add(dispatch.packet.private_segment_size);
  }
  // Preloaded kernel arguments are not set: code that has them begins with loads for such firmware.
  launch.userScalars = bits(descriptor.resources2, 1, 5);
  if (scalars.count() > launch.userScalars) {
    launch.problem = fmt::format("the kernel descriptor asks for {} user SGPRs but reserves {}",
                                 scalars.count(), launch.userScalars);
  }
}

void setSystemScalars(Launch& launch, const KernelDescriptor& descriptor,
                      const Architecture& architecture) {
  launch.scratchOffsetEnabled =
      bits(descriptor.resources2, 0, 1) != 0 && !architecture.architectedFlatScratch;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    launch.groupIdEnabled[dimension] = bits(descriptor.resources2, 7 + dimension, 1) != 0;
  }
  launch.groupInfoEnabled = bits(descriptor.resources2, 10, 1) != 0;
  constexpr unsigned kEnd = 102;
  if (launch.userScalars + 5 > kEnd) {
    launch.problem = "the kernel descriptor reserves more SGPRs than there are";
  }
}

uint32_t initialMode(const KernelDescriptor& descriptor) {
  uint32_t result = bits(descriptor.resources1, 12, 8); // rounding and denormals
  result |= bits(descriptor.resources1, 21, 1) != 0 ? mode::kDx10Clamp : 0;
  result |= bits(descriptor.resources1, 23, 1) != 0 ? mode::kIeee : 0;
  result |= bits(descriptor.resources1, 26, 1) != 0 ? mode::kFp16Overflow : 0;
  return result;
}

void setRegisters(Launch& launch, const KernelDescriptor& descriptor,
                  const Architecture& architecture) {
  constexpr uint32_t kBank = 256;
  const uint32_t granule = architecture.unifiedRegisters || launch.lanes == 32 ? 8 : 4;
  const uint32_t total = (bits(descriptor.resources1, 0, 6) + 1) * granule;
  const uint32_t vectors =
      architecture.unifiedRegisters ? (bits(descriptor.resources3, 0, 6) + 1) * 4 : total;
  launch.vectorRegisters = std::min({vectors, total, kBank});
  launch.accumulationRegisters = architecture.unifiedRegisters
                                     ? std::min(total - launch.vectorRegisters, kBank)
                                 : architecture.separateAccumulation ? kBank
                                                                     : 0;
}

void setShape(Launch& launch, const hsa_kernel_dispatch_packet_t& packet) {
  launch.gridSize = {packet.grid_size_x, packet.grid_size_y, packet.grid_size_z};
  launch.groupSize = {packet.workgroup_size_x, packet.workgroup_size_y, packet.workgroup_size_z};
  uint64_t items = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (launch.gridSize[dimension] == 0 || launch.groupSize[dimension] == 0) {
      launch.problem = fmt::format("grid or work-group size in dimension {} is 0", dimension);
      return;
    }
    launch.groups[dimension] =
        (uint64_t{launch.gridSize[dimension]} + launch.groupSize[dimension] - 1) /
        launch.groupSize[dimension];
    items *= std::min(launch.groupSize[dimension], launch.gridSize[dimension]);
  }
  if (items > kMaxGroupSize) {
    launch.problem = fmt::format("a work-group of {} work-items exceeds {}", items, kMaxGroupSize);
    return;
  }
  launch.wavesPerGroup = static_cast<uint32_t>((items + launch.lanes - 1) / launch.lanes);
}

void setSegments(Launch& launch, const Dispatch& dispatch) {
  const hsa_kernel_dispatch_packet_t& packet = dispatch.packet;
  launch.ldsBytes = (packet.group_segment_size + kLdsGranule - 1) / kLdsGranule * kLdsGranule;
  if (packet.group_segment_size > kMaxLdsBytes) {
    launch.problem = fmt::format("a group segment of {} bytes exceeds {}",
                                 packet.group_segment_size, kMaxLdsBytes);
  }
  launch.usesScratch = packet.private_segment_size != 0;
  if (!launch.usesScratch) {
    return;
  }
  const uint64_t needed = uint64_t{packet.private_segment_size} * launch.lanes;
  if (needed > dispatch.scratch.bytesPerWave || launch.wavesPerGroup > dispatch.scratch.slots) {
    launch.problem = fmt::format(
        "the work-group needs {} scratch slots of {} bytes, but there are {} of {}",
        launch.wavesPerGroup, needed, dispatch.scratch.slots, dispatch.scratch.bytesPerWave);
  }
}

/// The work-group information SGPR: the first wave of a group is marked, and all see their number.
uint32_t groupInfo(uint32_t waves, uint32_t wave) {
  constexpr uint32_t kFirstWave = 1u << 31;
  return (wave == 0 ? kFirstWave : 0u) | (waves & 0x3f);
}

void setLanes(Wave& wave, const Launch& launch, const Architecture& architecture) {
  const std::array<uint32_t, 3> extent = groupExtent(launch, wave.group->id);
  const uint64_t items = uint64_t{extent[0]} * extent[1] * extent[2];
  uint64_t exec = 0;
  for (unsigned lane = 0; lane < launch.lanes; ++lane) {
    const uint64_t item = uint64_t{wave.idInGroup} * launch.lanes + lane;
    if (item >= items) {
      break;
    }
    exec |= uint64_t{1} << lane;
    const auto x = static_cast<uint32_t>(item % extent[0]);
    const auto y = static_cast<uint32_t>(item / extent[0] % extent[1]);
    const auto z = static_cast<uint32_t>(item / extent[0] / extent[1]);
    if (architecture.packedWorkItemId) {
      wave.vgpr[0][lane] = x | y << 10 | z << 20;
    } else {
      wave.vgpr[0][lane] = x;
      wave.vgpr[1][lane] = y;
      wave.vgpr[2][lane] = z;
    }
  }
  wave.setExec(exec);
}

} // namespace

Launch prepareLaunch(const Dispatch& dispatch, const Architecture& architecture,
                     MemoryView& memory) {
  Launch launch;
  const uint64_t address = dispatch.packet.kernel_object;
  const std::byte* bytes = memory.at(address, sizeof(KernelDescriptor), false);
  if (bytes == nullptr) {
    launch.problem = "the kernel descriptor is not in mapped memory";
    return launch;
  }
  KernelDescriptor descriptor;
  std::memcpy(&descriptor, bytes, sizeof descriptor);
  launch.lanes = lanesOf(descriptor);
  if (launch.lanes == 32 && !architecture.halfWaves) {
    launch.problem = "the kernel asks for waves of 32 lanes, which this processor does not have";
    return launch;
  }
  launch.entry = address + static_cast<uint64_t>(descriptor.entryOffset);
  launch.mode = initialMode(descriptor);
  setRegisters(launch, descriptor, architecture);
  setUserScalars(launch, descriptor, dispatch);
  setSystemScalars(launch, descriptor, architecture);
  setShape(launch, dispatch.packet);
  if (launch.problem.empty()) {
    setSegments(launch, dispatch);
  }
  return launch;
}

uint32_t lanesOfWaves(const GuestMemory& memory, uint64_t kernelObject) {
  MemoryView view(memory);
  const std::byte* bytes = view.at(kernelObject, sizeof(KernelDescriptor), false);
  if (bytes == nullptr) {
    return kLanes; // the launch will report it
  }
  KernelDescriptor descriptor;
  std::memcpy(&descriptor, bytes, sizeof descriptor);
  return lanesOf(descriptor);
}

std::array<uint32_t, 3> groupExtent(const Launch& launch, const uint32_t (&group)[3]) {
  std::array<uint32_t, 3> extent{};
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    const uint64_t first = uint64_t{group[dimension]} * launch.groupSize[dimension];
    extent[dimension] = static_cast<uint32_t>(
        std::min<uint64_t>(launch.groupSize[dimension], launch.gridSize[dimension] - first));
  }
  return extent;
}

void initializeWave(Wave& wave, const Launch& launch, const Dispatch& dispatch,
                    const Architecture& architecture) {
  std::memset(wave.vgpr, 0, launch.vectorRegisters * sizeof(LaneWords));
  std::memset(wave.vgpr[vector::kAccumulation], 0,
              launch.accumulationRegisters * sizeof(LaneWords));
  std::memset(wave.sgpr, 0, sizeof wave.sgpr);
  wave.mode = launch.mode;
  wave.lanes = static_cast<uint8_t>(launch.lanes);
  wave.laneMask = ~uint64_t{0} >> (64 - launch.lanes);
  wave.indexedOperands = 0;
  wave.syncResource = 0;
  std::copy_n(launch.scalars.begin(), launch.userScalars, wave.sgpr);
  unsigned next = launch.userScalars;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (launch.groupIdEnabled[dimension]) {
      wave.sgpr[next++] = wave.group->id[dimension];
    }
  }
  if (launch.groupInfoEnabled) {
    const auto extent = groupExtent(launch, wave.group->id);
    const uint32_t items = extent[0] * extent[1] * extent[2];
    wave.sgpr[next++] = groupInfo((items + launch.lanes - 1) / launch.lanes, wave.idInGroup);
  }
  const uint64_t scratchOffset = wave.scratchSlot * dispatch.scratch.bytesPerWave;
  if (architecture.architectedFlatScratch) {
    wave.setPair(scalar::kFlatScratch, dispatch.scratch.base + scratchOffset);
  } else if (launch.scratchOffsetEnabled) {
    wave.sgpr[next] = static_cast<uint32_t>(scratchOffset);
  }
  constexpr uint64_t kApertureMask = 0xffffffff;
  wave.setPair(scalar::kSharedBase, dispatch.sharedAperture);
  wave.setPair(scalar::kSharedLimit, dispatch.sharedAperture | kApertureMask);
  wave.setPair(scalar::kPrivateBase, dispatch.privateAperture);
  wave.setPair(scalar::kPrivateLimit, dispatch.privateAperture | kApertureMask);
  setLanes(wave, launch, architecture);
}

} // namespace gpusim
