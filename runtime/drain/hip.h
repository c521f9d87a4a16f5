// HIP, where the process has loaded it. Nothing here loads it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace device_coverage {

// A GPU's place on the PCI bus, which HSA and HIP both state: HIP numbers devices in its own way.
struct PciAddress {
  uint32_t domain;
  uint32_t bus;
  uint32_t device;
};

// The GPUs that ran instrumented code; more than there is room for are not waited for.
struct UsedGpus {
  PciAddress gpus[128];
  size_t count;
};

// Waits until HIP's work on these GPUs is done. It leaves other devices alone: HIP would set them
// up first, at the worst of times. Without HIP in the process it returns at once.
void synchroniseHip(const UsedGpus& used);

} // namespace device_coverage
