#include "driver/shared_storage.h"

#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/backing_store.h"
#include "driver/real_libc.h"

namespace gpusim {
namespace {

constexpr const char* kDmaBufferName = "amdgpu-simulator-dmabuf";
constexpr unsigned kPageShift = 12;
constexpr unsigned kGpuShift = 16;
constexpr unsigned kFlagsShift = 24;
/// The descriptor shares a word with the GPU's index and the placement flags.
constexpr uint32_t kDescriptorMask = 0xffff;
constexpr uint32_t kByteMask = 0xff;

/// Whether `path`, a link under /proc, leads to an anonymous file called `name`.
bool leadsTo(const std::string& path, std::string_view name) {
  char target[256];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  const std::string_view found(target, length < 0 ? 0 : static_cast<std::size_t>(length));
  return found.starts_with("/memfd:" + std::string(name) + " ");
}

std::string descriptorPath(const std::string& process, int descriptor) {
  return "/proc/" + process + "/fd/" + std::to_string(descriptor);
}

} // namespace

void packShareHandle(const SharedStorage& storage, uint32_t (&words)[4]) {
  words[0] = static_cast<uint32_t>(storage.process);
  words[1] = (static_cast<uint32_t>(storage.descriptor) & kDescriptorMask) |
             ((storage.gpu & kByteMask) << kGpuShift) |
             ((storage.flags & kByteMask) << kFlagsShift);
  words[2] = static_cast<uint32_t>(storage.offset >> kPageShift);
  words[3] = static_cast<uint32_t>(storage.size >> kPageShift);
}

SharedStorage unpackShareHandle(const uint32_t (&words)[4]) {
  return {.process = static_cast<pid_t>(words[0]),
          .descriptor = static_cast<int>(words[1] & kDescriptorMask),
          .offset = uint64_t{words[2]} << kPageShift,
          .size = uint64_t{words[3]} << kPageShift,
          .gpu = (words[1] >> kGpuShift) & kByteMask,
          .flags = (words[1] >> kFlagsShift) & kByteMask,
          .metadata = {}};
}

int makeDmaBuffer(const SharedStorage& storage, bool closeOnExec) {
  const int descriptor = memfd_create(kDmaBufferName, closeOnExec ? MFD_CLOEXEC : 0);
  if (descriptor < 0)
    return -1;
  if (ftruncate(descriptor, static_cast<off_t>(storage.size)) == 0 &&
      pwrite(descriptor, &storage, sizeof storage, 0) == ssize_t{sizeof storage})
    return descriptor;
  real::close(descriptor);
  return -1;
}

std::optional<SharedStorage> readDmaBuffer(int descriptor) {
  SharedStorage storage;
  if (!leadsTo(descriptorPath("self", descriptor), kDmaBufferName) ||
      pread(descriptor, &storage, sizeof storage, 0) != ssize_t{sizeof storage})
    return std::nullopt;
  return storage;
}

int openMemoryFile(const SharedStorage& storage) {
  const std::string path = descriptorPath(std::to_string(storage.process), storage.descriptor);
  if (!leadsTo(path, BackingStore::kFileName))
    return -1;
  return real::open(path.c_str(), O_RDWR | O_CLOEXEC);
}

} // namespace gpusim
