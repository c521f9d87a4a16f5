#include "driver/kfd_device.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <linux/ioctl.h>

#include "driver/clock.h"
#include "driver/kfd_abi.h"
#include "driver/log.h"
#include "driver/machine.h"

namespace gpusim {
namespace {

int getVersion(Machine&, kfd_ioctl_get_version_args& arguments) {
  arguments = {.major_version = kfd::kVersionMajor, .minor_version = kfd::kVersionMinor};
  return 0;
}

int createQueue(Machine& machine, kfd::CreateQueue& arguments) {
  return machine.queues().create(arguments);
}

int destroyQueue(Machine& machine, kfd_ioctl_destroy_queue_args& arguments) {
  return machine.queues().destroy(arguments.queue_id);
}

int updateQueue(Machine& machine, kfd_ioctl_update_queue_args& arguments) {
  return machine.queues().update(arguments);
}

/// Compute units are not modelled one by one: a mask is valid and changes nothing.
int setCuMask(Machine& machine, kfd_ioctl_set_cu_mask_args& arguments) {
  const bool valid =
      machine.queues().contains(arguments.queue_id) && arguments.num_cu_mask % 32 == 0;
  return valid ? 0 : -EINVAL;
}

/// A queue here never has waves saved: its save areas are empty.
int getQueueWaveState(Machine& machine, kfd_ioctl_get_queue_wave_state_args& arguments) {
  arguments.ctl_stack_used_size = 0;
  arguments.save_area_used_size = 0;
  return machine.queues().contains(arguments.queue_id) ? 0 : -EINVAL;
}

int allocateGws(Machine& machine, kfd_ioctl_alloc_queue_gws_args& arguments) {
  arguments.first_gws = 0;
  return machine.queues().contains(arguments.queue_id) ? 0 : -EINVAL;
}

int getClockCounters(Machine&, kfd_ioctl_get_clock_counters_args& arguments) {
  const uint64_t now = hostClock();
  arguments.gpu_clock_counter = now / (kHostClockFrequency / kGpuClockFrequency);
  arguments.cpu_clock_counter = now;
  arguments.system_clock_counter = now;
  arguments.system_clock_freq = kHostClockFrequency;
  return 0;
}

kfd_process_device_apertures aperturesOf(const Gpu& gpu) {
  constexpr uint64_t kLowestAddress = uint64_t{1} << 24;
  constexpr uint64_t kHighestAddress = (uint64_t{1} << 47) - 1;
  kfd_process_device_apertures apertures{};
  apertures.lds_base = kSharedAperture;
  apertures.lds_limit = kSharedAperture + kApertureSize - 1;
  apertures.scratch_base = kPrivateAperture;
  apertures.scratch_limit = kPrivateAperture + kApertureSize - 1;
  apertures.gpuvm_base = kLowestAddress;
  apertures.gpuvm_limit = kHighestAddress;
  apertures.gpu_id = gpu.gpuId();
  return apertures;
}

int getApertures(Machine& machine, kfd_ioctl_get_process_apertures_new_args& arguments) {
  auto* out =
      reinterpret_cast<kfd_process_device_apertures*>(arguments.kfd_process_device_apertures_ptr);
  const auto count = static_cast<uint32_t>(machine.gpus().size());
  const uint32_t filled = out == nullptr ? 0 : std::min(count, arguments.num_of_nodes);
  for (uint32_t i = 0; i < filled; ++i)
    out[i] = aperturesOf(*machine.gpus()[i]);
  arguments.num_of_nodes = out == nullptr ? count : filled;
  return 0;
}

int acquireVm(Machine& machine, kfd_ioctl_acquire_vm_args& arguments) {
  return machine.memory().findGpu(arguments.gpu_id) != nullptr ? 0 : -EINVAL;
}

/// Caches are not modelled: every policy is coherent.
int setMemoryPolicy(Machine& machine, kfd_ioctl_set_memory_policy_args& arguments) {
  return machine.memory().findGpu(arguments.gpu_id) != nullptr ? 0 : -EINVAL;
}

/// The address is only needed by GPUs older than gfx9; dispatches carry theirs in the queue.
int setScratchBacking(Machine& machine, kfd_ioctl_set_scratch_backing_va_args& arguments) {
  return machine.memory().findGpu(arguments.gpu_id) != nullptr ? 0 : -EINVAL;
}

/// Trap handlers are not run: the interpreter reports a trap as a fault.
int setTrapHandler(Machine& machine, kfd_ioctl_set_trap_handler_args& arguments) {
  return machine.memory().findGpu(arguments.gpu_id) != nullptr ? 0 : -EINVAL;
}

/// No image is ever tiled here; the counts say that no configuration was filled in.
int getTileConfig(Machine& machine, kfd_ioctl_get_tile_config_args& arguments) {
  arguments.num_tile_configs = 0;
  arguments.num_macro_tile_configs = 0;
  return machine.memory().findGpu(arguments.gpu_id) != nullptr ? 0 : -EINVAL;
}

int allocateMemory(Machine& machine, kfd_ioctl_alloc_memory_of_gpu_args& arguments) {
  constexpr uint32_t kVisibleLocal =
      KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;
  if (machine.configuration().smallBar && (arguments.flags & kVisibleLocal) == kVisibleLocal)
    return -EINVAL;
  return machine.memory().allocate(arguments);
}

int freeMemory(Machine& machine, kfd_ioctl_free_memory_of_gpu_args& arguments) {
  return machine.memory().free(arguments.handle);
}

int mapMemory(Machine& machine, kfd_ioctl_map_memory_to_gpu_args& arguments) {
  return machine.memory().mapToGpus(arguments);
}

int unmapMemory(Machine& machine, kfd_ioctl_unmap_memory_from_gpu_args& arguments) {
  return machine.memory().unmapFromGpus(arguments);
}

int exportIpc(Machine& machine, kfd::IpcExport& arguments) {
  SharedStorage shared;
  const int error = machine.memory().share(arguments.handle, shared);
  if (error == 0)
    packShareHandle(shared, arguments.shareHandle);
  return error;
}

int importIpc(Machine& machine, kfd::IpcImport& arguments) {
  const SharedStorage shared = unpackShareHandle(arguments.shareHandle);
  arguments.flags = shared.flags;
  arguments.gpuId = Gpu::gpuIdOf(shared.gpu);
  return machine.memory().import(shared, arguments.address, arguments.handle, arguments.mapOffset);
}

int exportDmaBuffer(Machine& machine, kfd::ExportDmaBuffer& arguments) {
  SharedStorage shared;
  if (const int error = machine.memory().share(arguments.handle, shared); error != 0)
    return error;
  const int descriptor = makeDmaBuffer(shared, (arguments.flags & O_CLOEXEC) != 0);
  arguments.descriptor = static_cast<uint32_t>(descriptor);
  return descriptor < 0 ? -EMFILE : 0;
}

int getDmaBufferInformation(Machine&, kfd_ioctl_get_dmabuf_info_args& arguments) {
  const auto shared = readDmaBuffer(static_cast<int>(arguments.dmabuf_fd));
  if (!shared)
    return -EINVAL;
  arguments.size = shared->size;
  arguments.metadata_size = 0; // describes images, which are not modelled
  arguments.gpu_id = Gpu::gpuIdOf(shared->gpu);
  arguments.flags = shared->flags;
  return 0;
}

int importDmaBuffer(Machine& machine, kfd_ioctl_import_dmabuf_args& arguments) {
  const auto shared = readDmaBuffer(static_cast<int>(arguments.dmabuf_fd));
  uint64_t handle = 0;
  uint64_t mapOffset = 0;
  const int error =
      shared ? machine.memory().import(*shared, arguments.va_addr, handle, mapOffset) : -EINVAL;
  arguments.handle = handle;
  return error;
}

int availableMemory(Machine& machine, kfd_ioctl_get_available_memory_args& arguments) {
  const Gpu* gpu = machine.memory().findGpu(arguments.gpu_id);
  if (gpu == nullptr)
    return -EINVAL;
  arguments.available = MemoryTable::available(*gpu);
  return 0;
}

int setXnackMode(Machine& machine, kfd_ioctl_set_xnack_mode_args& arguments) {
  // A negative mode asks.
  if (arguments.xnack_enabled >= 0 && !machine.setXnackEnabled(arguments.xnack_enabled != 0))
    return -EPERM;
  arguments.xnack_enabled = machine.xnackEnabled() ? 1 : 0;
  return 0;
}

int createEvent(Machine& machine, kfd_ioctl_create_event_args& arguments) {
  return machine.events().create(arguments);
}

int destroyEvent(Machine& machine, kfd_ioctl_destroy_event_args& arguments) {
  return machine.events().destroy(arguments.event_id);
}

int setEvent(Machine& machine, kfd_ioctl_set_event_args& arguments) {
  return machine.events().set(arguments.event_id);
}

int resetEvent(Machine& machine, kfd_ioctl_reset_event_args& arguments) {
  return machine.events().reset(arguments.event_id);
}

int waitEvents(Machine& machine, kfd_ioctl_wait_events_args& arguments) {
  return machine.events().wait(arguments);
}

int runtimeEnable(Machine& machine, kfd::RuntimeEnable& arguments) {
  constexpr uint32_t kEnable = 1;
  machine.setRuntimeEnabled((arguments.mode & kEnable) != 0);
  return 0;
}

/// Largest argument block of a fixed-size request.
constexpr std::size_t kLargestArguments = 512;

/// Copies the block in, serves the request, copies the block out, each by the caller's size.
template <typename Arguments, int (*Serve)(Machine&, Arguments&)>
int serve(Machine& machine, void* argument, std::size_t size) {
  static_assert(sizeof(Arguments) <= kLargestArguments);
  Arguments arguments{};
  const std::size_t common = std::min(size, sizeof(Arguments));
  std::memcpy(&arguments, argument, common);
  const int result = Serve(machine, arguments);
  std::memcpy(argument, &arguments, common);
  return result;
}

/// The attributes follow the block, which is therefore served in place.
int serveSharedMemory(Machine& machine, void* argument, std::size_t size) {
  auto& arguments = *static_cast<kfd_ioctl_svm_args*>(argument);
  const std::size_t room = size < sizeof(arguments) ? 0 : size - sizeof(arguments);
  if (arguments.nattr > room / sizeof(kfd_ioctl_svm_attribute))
    return -EINVAL;
  return machine.sharedMemory().request(arguments);
}

/// Requests that the upstream driver does not have, or refuses without a debugger; runtimes try
/// them and do without.
int serveAbsent(Machine&, void*, std::size_t) {
  return -ENOTTY;
}

struct Request {
  uint32_t number;
  int (*serve)(Machine&, void*, std::size_t);
};

constexpr auto kRequests = std::to_array<Request>({
    {_IOC_NR(AMDKFD_IOC_GET_VERSION), serve<kfd_ioctl_get_version_args, getVersion>},
    {_IOC_NR(AMDKFD_IOC_CREATE_QUEUE), serve<kfd::CreateQueue, createQueue>},
    {_IOC_NR(AMDKFD_IOC_DESTROY_QUEUE), serve<kfd_ioctl_destroy_queue_args, destroyQueue>},
    {_IOC_NR(AMDKFD_IOC_UPDATE_QUEUE), serve<kfd_ioctl_update_queue_args, updateQueue>},
    {_IOC_NR(AMDKFD_IOC_SET_CU_MASK), serve<kfd_ioctl_set_cu_mask_args, setCuMask>},
    {_IOC_NR(AMDKFD_IOC_GET_QUEUE_WAVE_STATE),
     serve<kfd_ioctl_get_queue_wave_state_args, getQueueWaveState>},
    {_IOC_NR(AMDKFD_IOC_ALLOC_QUEUE_GWS), serve<kfd_ioctl_alloc_queue_gws_args, allocateGws>},
    {_IOC_NR(AMDKFD_IOC_GET_CLOCK_COUNTERS),
     serve<kfd_ioctl_get_clock_counters_args, getClockCounters>},
    {_IOC_NR(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW),
     serve<kfd_ioctl_get_process_apertures_new_args, getApertures>},
    {_IOC_NR(AMDKFD_IOC_ACQUIRE_VM), serve<kfd_ioctl_acquire_vm_args, acquireVm>},
    {_IOC_NR(AMDKFD_IOC_SET_MEMORY_POLICY),
     serve<kfd_ioctl_set_memory_policy_args, setMemoryPolicy>},
    {_IOC_NR(AMDKFD_IOC_SET_SCRATCH_BACKING_VA),
     serve<kfd_ioctl_set_scratch_backing_va_args, setScratchBacking>},
    {_IOC_NR(AMDKFD_IOC_SET_TRAP_HANDLER), serve<kfd_ioctl_set_trap_handler_args, setTrapHandler>},
    {_IOC_NR(AMDKFD_IOC_GET_TILE_CONFIG), serve<kfd_ioctl_get_tile_config_args, getTileConfig>},
    {_IOC_NR(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU),
     serve<kfd_ioctl_alloc_memory_of_gpu_args, allocateMemory>},
    {_IOC_NR(AMDKFD_IOC_FREE_MEMORY_OF_GPU), serve<kfd_ioctl_free_memory_of_gpu_args, freeMemory>},
    {_IOC_NR(AMDKFD_IOC_MAP_MEMORY_TO_GPU), serve<kfd_ioctl_map_memory_to_gpu_args, mapMemory>},
    {_IOC_NR(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU),
     serve<kfd_ioctl_unmap_memory_from_gpu_args, unmapMemory>},
    {_IOC_NR(AMDKFD_IOC_AVAILABLE_MEMORY),
     serve<kfd_ioctl_get_available_memory_args, availableMemory>},
    {_IOC_NR(AMDKFD_IOC_GET_DMABUF_INFO),
     serve<kfd_ioctl_get_dmabuf_info_args, getDmaBufferInformation>},
    {_IOC_NR(AMDKFD_IOC_IMPORT_DMABUF), serve<kfd_ioctl_import_dmabuf_args, importDmaBuffer>},
    {kfd::kExportDmaBuffer, serve<kfd::ExportDmaBuffer, exportDmaBuffer>},
    {kfd::kIpcImport, serve<kfd::IpcImport, importIpc>},
    {kfd::kIpcExport, serve<kfd::IpcExport, exportIpc>},
    {_IOC_NR(AMDKFD_IOC_SVM), serveSharedMemory},
    {_IOC_NR(AMDKFD_IOC_SET_XNACK_MODE), serve<kfd_ioctl_set_xnack_mode_args, setXnackMode>},
    {_IOC_NR(AMDKFD_IOC_CREATE_EVENT), serve<kfd_ioctl_create_event_args, createEvent>},
    {_IOC_NR(AMDKFD_IOC_DESTROY_EVENT), serve<kfd_ioctl_destroy_event_args, destroyEvent>},
    {_IOC_NR(AMDKFD_IOC_SET_EVENT), serve<kfd_ioctl_set_event_args, setEvent>},
    {_IOC_NR(AMDKFD_IOC_RESET_EVENT), serve<kfd_ioctl_reset_event_args, resetEvent>},
    {_IOC_NR(AMDKFD_IOC_WAIT_EVENTS), serve<kfd_ioctl_wait_events_args, waitEvents>},
    {kfd::kRuntimeEnable, serve<kfd::RuntimeEnable, runtimeEnable>},
    {kfd::kDebugTrap, serveAbsent},
    {kfd::kOldDebugTrap, serveAbsent},
    {kfd::kStreamingMonitor, serveAbsent},
});

} // namespace

int kfdRequest(Machine& machine, unsigned long request, void* argument) {
  const auto number = static_cast<uint32_t>(_IOC_NR(request));
  const auto* found = std::ranges::find(kRequests, number, &Request::number);
  if (found == kRequests.end()) {
    logLine("request " + hex(number) + " of /dev/kfd is not modelled; the program gets ENOTTY");
    return -ENOTTY;
  }
  if (argument == nullptr)
    return -EFAULT;
  return found->serve(machine, argument, _IOC_SIZE(request));
}

} // namespace gpusim
