#include "driver/topology.h"

#include <cstdint>
#include <string_view>

#include <unistd.h>

#include "driver/gpu.h"
#include "driver/gpu_model.h"

namespace gpusim {
namespace {

enum HeapType : uint32_t { kHeapSystem = 0, kHeapLocalPublic = 1, kHeapLocalPrivate = 2 };
enum LinkType : uint32_t { kLinkPcie = 2, kLinkXgmi = 11 };
enum CacheType : uint32_t { kCacheData = 1, kCacheCpu = 4, kCacheGpu = 8 };

// Bits of a node's `capability`.
constexpr uint32_t kDoorbellWithAqlIndex = 2u << 12;
constexpr uint32_t kSramEcc = 1u << 26;
constexpr uint32_t kSharedVirtualMemory = 1u << 27;
/// Without it ROCr does without RUNTIME_ENABLE, and from 6.4 on cannot be started again after its
/// shutdown.
constexpr uint32_t kDebuggableFirmware = 1u << 29;

constexpr uint32_t kAmdVendorId = 0x1002;
constexpr uint64_t kHiveId = 0x51a0'0000'0000'0001;
constexpr uint64_t kFirstUniqueId = 0x51a0'0000'0001'0000;

/// Lines of `name value`.
class Properties {
public:
  Properties& add(std::string_view name, uint64_t value) {
    text_.append(name).append(" ").append(std::to_string(value)).append("\n");
    return *this;
  }
  std::string take() { return std::move(text_); }

private:
  std::string text_;
};

std::string nodePath(std::size_t node) {
  return "nodes/" + std::to_string(node);
}

std::string memoryBank(HeapType heap, uint64_t size) {
  return Properties()
      .add("heap_type", heap)
      .add("size_in_bytes", size)
      .add("flags", 0)
      .add("width", heap == kHeapSystem ? 64 : 4096)
      .add("mem_clk_max", 1600)
      .take();
}

std::string cache(uint32_t level, uint32_t sizeKib, uint32_t type) {
  std::string text = Properties()
                         .add("processor_id_low", 0)
                         .add("level", level)
                         .add("size", sizeKib)
                         .add("cache_line_size", 64)
                         .add("cache_lines_per_tag", 1)
                         .add("association", 16)
                         .add("latency", 1)
                         .add("type", type)
                         .take();
  return text + "sibling_map 1\n";
}

std::string link(LinkType type, std::size_t from, std::size_t to) {
  const bool xgmi = type == kLinkXgmi;
  return Properties()
      .add("type", type)
      .add("version_major", 0)
      .add("version_minor", 0)
      .add("node_from", from)
      .add("node_to", to)
      .add("weight", xgmi ? 15 : 20)
      .add("min_latency", 0)
      .add("max_latency", 0)
      .add("min_bandwidth", xgmi ? 50000 : 312)
      .add("max_bandwidth", xgmi ? 100000 : 32000)
      .add("recommended_transfer_size", 0)
      .add("num_hops_xgmi", xgmi ? 1 : 0)
      .add("flags", 1)
      .take();
}

uint64_t systemMemory() {
  const auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string cpuProperties(std::size_t links) {
  return Properties()
      .add("cpu_cores_count", static_cast<uint64_t>(sysconf(_SC_NPROCESSORS_ONLN)))
      .add("simd_count", 0)
      .add("mem_banks_count", 1)
      .add("caches_count", 1)
      .add("io_links_count", links)
      .add("p2p_links_count", 0)
      .add("cpu_core_id_base", 0)
      .add("simd_id_base", 0)
      .add("max_waves_per_simd", 0)
      .add("vendor_id", 0)
      .add("device_id", 0)
      .add("drm_render_minor", 0)
      .take();
}

uint32_t capabilityOf(const GpuModel& model) {
  return kDoorbellWithAqlIndex | kSharedVirtualMemory | kDebuggableFirmware |
         (model.sramEcc ? kSramEcc : 0);
}

void addEngineProperties(Properties& properties, const GpuModel& model) {
  properties.add("simd_count", model.simdCount)
      .add("simd_id_base", 0x80001000)
      .add("max_waves_per_simd", model.maxWavesPerSimd)
      .add("lds_size_in_kb", 64)
      .add("gds_size_in_kb", 0)
      .add("num_gws", 64)
      .add("wave_front_size", model.waveFrontSize)
      .add("array_count", model.arrayCount)
      .add("simd_arrays_per_engine", model.simdArraysPerEngine)
      .add("cu_per_simd_array", model.cuPerSimdArray)
      .add("simd_per_cu", model.simdPerCu)
      .add("max_slots_scratch_cu", model.maxSlotsScratchCu)
      .add("gfx_target_version", model.gfxTargetVersion)
      .add("num_xcc", model.numXcc)
      .add("num_sdma_engines", model.sdmaEngines)
      .add("num_sdma_xgmi_engines", model.sdmaXgmiEngines)
      .add("num_sdma_queues_per_engine", model.sdmaQueuesPerEngine)
      .add("num_cp_queues", model.cpQueues);
}

std::string gpuProperties(const GpuModel& model, std::size_t index, std::size_t links) {
  Properties properties;
  properties.add("cpu_cores_count", 0)
      .add("mem_banks_count", 1)
      .add("caches_count", 2)
      .add("io_links_count", links)
      .add("p2p_links_count", 0)
      .add("cpu_core_id_base", 0);
  addEngineProperties(properties, model);
  return properties.add("vendor_id", kAmdVendorId)
      .add("device_id", model.deviceId)
      .add("location_id", (index + 1) << 8)
      .add("domain", 0)
      .add("drm_render_minor", Gpu::kFirstRenderMinor + index)
      .add("hive_id", kHiveId)
      .add("unique_id", kFirstUniqueId + index)
      .add("max_engine_clk_fcompute", model.maxEngineClockMhz)
      .add("local_mem_size", 0)
      .add("fw_version", 70)
      .add("capability", capabilityOf(model))
      .add("debug_prop", 0)
      .add("sdma_fw_version", 8)
      .add("max_engine_clk_ccompute", 3000)
      .take();
}

void addGpu(const GpuModel& model, std::size_t index, std::size_t gpuCount, bool smallBar,
            std::vector<TopologyFile>& files) {
  constexpr uint32_t kDataCache = kCacheData | kCacheGpu;
  const std::size_t node = index + 1;
  const std::string path = nodePath(node);
  files.emplace_back(path + "/gpu_id", std::to_string(Gpu::gpuIdOf(index)) + "\n");
  files.emplace_back(path + "/name", std::string(model.marketingName) + "\n");
  files.emplace_back(path + "/properties", gpuProperties(model, index, gpuCount));
  files.emplace_back(path + "/mem_banks/0/properties",
                     memoryBank(smallBar ? kHeapLocalPrivate : kHeapLocalPublic, kLocalMemorySize));
  files.emplace_back(path + "/caches/0/properties", cache(1, 16, kDataCache));
  files.emplace_back(path + "/caches/1/properties", cache(2, model.l2CacheKiB, kDataCache));
  std::size_t linkIndex = 0;
  const auto addLink = [&](LinkType type, std::size_t to) {
    files.emplace_back(path + "/io_links/" + std::to_string(linkIndex++) + "/properties",
                       link(type, node, to));
  };
  addLink(kLinkPcie, 0);
  for (std::size_t other = 1; other <= gpuCount; ++other)
    if (other != node)
      addLink(kLinkXgmi, other);
}

} // namespace

std::vector<TopologyFile> topologyFiles(const std::vector<const GpuModel*>& gpus, bool smallBar) {
  constexpr uint32_t kCpuDataCache = kCacheData | kCacheCpu; // ROCr wants at least one
  std::vector<TopologyFile> files;
  files.emplace_back("generation_id", "2\n");
  files.emplace_back("system_properties", "platform_oem 0\nplatform_id 0\nplatform_rev 0\n");
  const std::string cpu = nodePath(0);
  files.emplace_back(cpu + "/gpu_id", "0\n");
  files.emplace_back(cpu + "/name", "\n");
  files.emplace_back(cpu + "/properties", cpuProperties(smallBar ? 0 : gpus.size()));
  files.emplace_back(cpu + "/mem_banks/0/properties", memoryBank(kHeapSystem, systemMemory()));
  files.emplace_back(cpu + "/caches/0/properties", cache(3, 32768, kCpuDataCache));
  // HIP takes a link from the CPU to a GPU to mean that all of its memory lies in the PCI window.
  for (std::size_t index = 0; index < gpus.size() && !smallBar; ++index)
    files.emplace_back(cpu + "/io_links/" + std::to_string(index) + "/properties",
                       link(kLinkPcie, 0, index + 1));
  for (std::size_t index = 0; index < gpus.size(); ++index)
    addGpu(*gpus[index], index, gpus.size(), smallBar, files);
  return files;
}

} // namespace gpusim
