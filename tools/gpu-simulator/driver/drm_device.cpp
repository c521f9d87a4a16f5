#include "driver/drm_device.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include <libdrm/amdgpu_drm.h>
#include <linux/ioctl.h>

#include "driver/clock.h"
#include "driver/gpu.h"
#include "driver/log.h"
#include "driver/machine.h"

namespace gpusim {
namespace {

/// Gives `text` the way DRM returns strings: the length always, the characters as far as they fit.
void returnText(std::string_view text, char* buffer, __kernel_size_t& length) {
  if (buffer != nullptr)
    std::memcpy(buffer, text.data(), std::min<std::size_t>(text.size(), length));
  length = text.size();
}

int version(drm_version& arguments) {
  arguments.version_major = 3;
  arguments.version_minor = 57;
  arguments.version_patchlevel = 0;
  returnText("amdgpu", arguments.name, arguments.name_len);
  returnText("20150101", arguments.date, arguments.date_len);
  returnText("AMD GPU (simulated)", arguments.desc, arguments.desc_len);
  return 0;
}

uint32_t familyOf(const GpuModel& model) {
  constexpr uint32_t kFirstGfx10 = 100000;
  return model.gfxTargetVersion < kFirstGfx10 ? AMDGPU_FAMILY_AI : AMDGPU_FAMILY_NV;
}

drm_amdgpu_info_device deviceInformation(const Gpu& gpu) {
  const GpuModel& model = gpu.model;
  constexpr uint64_t kKilohertz = 1000;
  drm_amdgpu_info_device information{};
  information.device_id = model.deviceId;
  information.external_rev = 1;
  information.family = familyOf(model);
  information.num_shader_engines = model.arrayCount / model.simdArraysPerEngine;
  information.num_shader_arrays_per_engine = model.simdArraysPerEngine;
  information.gpu_counter_freq = kGpuClockFrequency / kKilohertz;
  information.max_engine_clock = model.maxEngineClockMhz * kKilohertz;
  information.max_memory_clock = 1600 * kKilohertz;
  information.cu_active_number = model.computeUnits();
  information.virtual_address_offset = uint64_t{1} << 24;
  information.virtual_address_max = uint64_t{1} << 47;
  information.virtual_address_alignment = 4096;
  information.pte_fragment_size = 2 << 20;
  information.gart_page_size = 4096;
  information.vram_type = AMDGPU_VRAM_TYPE_HBM;
  information.vram_bit_width = 4096;
  information.wave_front_size = model.waveFrontSize;
  information.num_cu_per_sh = model.cuPerSimdArray;
  return information;
}

template <typename Answer>
int returnAnswer(const Answer& answer, const drm_amdgpu_info& query) {
  std::memcpy(reinterpret_cast<void*>(query.return_pointer), &answer,
              std::min<std::size_t>(sizeof(answer), query.return_size));
  return 0;
}

drm_amdgpu_info_vram_gtt vramAndGtt(bool smallBar) {
  constexpr uint64_t kSmallWindow = uint64_t{256} << 20;
  return {.vram_size = kLocalMemorySize,
          .vram_cpu_accessible_size = smallBar ? kSmallWindow : kLocalMemorySize,
          .gtt_size = kLocalMemorySize};
}

/// Registers only describe image tiling and harvested units: none of either.
int readRegisters(const drm_amdgpu_info& query) {
  const uint64_t bytes = uint64_t{query.read_mmr_reg.count} * sizeof(uint32_t);
  std::memset(reinterpret_cast<void*>(query.return_pointer), 0,
              std::min<uint64_t>(bytes, query.return_size));
  return 0;
}

/// Compute and copy engines; no graphics, no video.
int engineCount(const drm_amdgpu_info& query) {
  const bool there = query.query_hw_ip.type == AMDGPU_HW_IP_COMPUTE ||
                     query.query_hw_ip.type == AMDGPU_HW_IP_DMA;
  return returnAnswer(uint32_t{there ? 1u : 0u}, query);
}

int information(const Machine& machine, const Gpu& gpu, const drm_amdgpu_info& query) {
  switch (query.query) {
  case AMDGPU_INFO_ACCEL_WORKING:
    return returnAnswer(uint32_t{1}, query);
  case AMDGPU_INFO_DEV_INFO:
    return returnAnswer(deviceInformation(gpu), query);
  case AMDGPU_INFO_HW_IP_COUNT:
    return engineCount(query);
  case AMDGPU_INFO_READ_MMR_REG:
    return readRegisters(query);
  case AMDGPU_INFO_TIMESTAMP:
    return returnAnswer(gpuClock(), query);
  case AMDGPU_INFO_VRAM_GTT:
    return returnAnswer(vramAndGtt(machine.configuration().smallBar), query);
  case AMDGPU_INFO_VRAM_USAGE:
    return returnAnswer(gpu.localMemoryUsed.load(), query);
  default:
    logLine("DRM query " + std::to_string(query.query) +
            " is not modelled; the program gets EINVAL");
    return -EINVAL;
  }
}

} // namespace

int drmRequest(Machine& machine, Gpu& gpu, unsigned long request, void* argument) {
  if (argument == nullptr)
    return -EFAULT;
  GemObjects& objects = machine.gemObjects();
  switch (_IOC_NR(request)) {
  case _IOC_NR(DRM_IOCTL_VERSION):
    return version(*static_cast<drm_version*>(argument));
  case DRM_COMMAND_BASE + DRM_AMDGPU_INFO:
    return information(machine, gpu, *static_cast<const drm_amdgpu_info*>(argument));
  case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
    return objects.open(*static_cast<drm_prime_handle*>(argument));
  case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
    return objects.close(static_cast<const drm_gem_close*>(argument)->handle);
  case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_MMAP:
    return objects.mapOffset(*static_cast<drm_amdgpu_gem_mmap*>(argument));
  case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA:
    return objects.changeMapping(gpu, *static_cast<const drm_amdgpu_gem_va*>(argument));
  case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_METADATA:
    return objects.metadata(*static_cast<drm_amdgpu_gem_metadata*>(argument));
  case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_OP:
    return objects.operation(*static_cast<drm_amdgpu_gem_op*>(argument));
  default:
    logLine("DRM request " + hex(_IOC_NR(request)) + " is not modelled; the program gets ENOTTY");
    return -ENOTTY;
  }
}

} // namespace gpusim
