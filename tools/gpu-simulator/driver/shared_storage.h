// How one process names a piece of its memory file to another: hipIpc handles and DMA buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <libdrm/amdgpu_drm.h>
#include <sys/types.h>

namespace gpusim {

/// What a render node's user noted about a buffer. Whoever opens the buffer sees it: ROCr marks the
/// buffers it shares.
using BufferMetadata = decltype(drm_amdgpu_gem_metadata::data);

/// A buffer in the memory file of a process. Only an address: it keeps nothing alive.
struct SharedStorage {
  pid_t process = 0;    ///< whose file
  int descriptor = -1;  ///< the file's descriptor there
  uint64_t offset = 0;  ///< within the file; whole pages
  uint64_t size = 0;    ///< in bytes; whole pages
  uint32_t gpu = 0;     ///< index of the GPU that owns the buffer
  uint32_t flags = 0;   ///< KFD_IOC_ALLOC_MEM_FLAGS_*
  BufferMetadata metadata{};
};

/// The four words that KFD's IPC requests carry: all but the metadata.
void packShareHandle(const SharedStorage& storage, uint32_t (&words)[4]);
SharedStorage unpackShareHandle(const uint32_t (&words)[4]);

/// A new descriptor that stands for a DMA buffer: a file of the buffer's size, so that seeking to
/// its end tells the size as with the driver's. Can be sent to other processes. -1 on failure.
int makeDmaBuffer(const SharedStorage& storage, bool closeOnExec);

/// What a DMA buffer refers to; nothing when the descriptor is none of ours.
std::optional<SharedStorage> readDmaBuffer(int descriptor);

/// Opens the memory file, also of another process; -1 when it is gone or is no such file.
int openMemoryFile(const SharedStorage& storage);

} // namespace gpusim
