// One GPU of the machine: its identity, its memory and its decoded code.
#pragma once

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "driver/address_space.h"
#include "driver/gpu_model.h"
#include "interpreter/interpreter.h"

namespace gpusim {

/// Windows into local memory and scratch within the flat address space (gfx9 and later).
constexpr uint64_t kSharedAperture = uint64_t{1} << 48;
constexpr uint64_t kPrivateAperture = uint64_t{2} << 48;
constexpr uint64_t kApertureSize = uint64_t{1} << 32;

/// Local memory of a GPU as reported to programs. Pages exist once touched, so a small host can
/// stand in for a large card.
constexpr uint64_t kLocalMemorySize = uint64_t{64} << 30;

constexpr std::size_t kDoorbellsPerGpu = 1024; ///< 64-bit doorbells in a GPU's doorbell pages

struct Gpu {
  Gpu(std::size_t gpuIndex, const GpuModel& itsModel)
      : index(gpuIndex), model(itsModel), code(makeCodeCache(itsModel.name)) {}

  uint32_t gpuId() const { return gpuIdOf(index); }
  uint32_t node() const { return static_cast<uint32_t>(index) + 1; } ///< node 0 is the CPU

  static constexpr uint32_t kFirstRenderMinor = 128;
  uint32_t renderMinor() const { return kFirstRenderMinor + static_cast<uint32_t>(index); }

  /// The driver's handle of a GPU: never 0, which means "a CPU node".
  static constexpr uint32_t gpuIdOf(std::size_t gpuIndex) {
    return 0x5100 + static_cast<uint32_t>(gpuIndex);
  }

  const std::size_t index;
  const GpuModel& model;
  AddressSpace memory;
  std::unique_ptr<CodeCache> code;          ///< null: no kernel can run on this architecture
  std::atomic<uint64_t> codeGeneration{1};  ///< see Dispatch::codeGeneration
  std::atomic<uint64_t> localMemoryUsed{0}; ///< bytes of VRAM handed out
  /// After a memory fault, as by the driver: none of the process's queues runs on this GPU again.
  std::atomic<bool> queuesAreEvicted{false};
  std::bitset<kDoorbellsPerGpu> doorbells;  ///< taken ones; guarded by the queue table
};

} // namespace gpusim
