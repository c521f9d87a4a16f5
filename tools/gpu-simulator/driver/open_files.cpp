#include "driver/open_files.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/machine.h"
#include "driver/real_libc.h"

namespace gpusim {
namespace {

/// Descriptors from this number on cannot be devices; programs do not come near it.
constexpr std::size_t kMaxDescriptor = 1 << 16;

/// One word a descriptor, so that look-ups need no lock and work in forked children.
///   bits 0-3   kind + 1, 0 when the descriptor is not ours
///   bit  4     inherited from a parent process
///   bits 8-31  GPU of a render node, or number of the directory
///   bits 32-63 process that opened it
std::array<std::atomic<uint64_t>, kMaxDescriptor> descriptors;
std::atomic<int> highestDescriptor{-1};

constexpr uint64_t kKindMask = 0xf;
constexpr uint64_t kInherited = 1 << 4;
constexpr unsigned kDetailShift = 8;
constexpr unsigned kProcessShift = 32;

uint64_t processBits() {
  return static_cast<uint64_t>(getpid()) << kProcessShift;
}

uint64_t encode(VirtualPath::Kind kind, uint64_t detail) {
  return (static_cast<uint64_t>(kind) + 1) | (detail << kDetailShift) | processBits();
}

bool isDescriptor(int descriptor) {
  return descriptor >= 0 && static_cast<std::size_t>(descriptor) < kMaxDescriptor;
}

void setWord(int descriptor, uint64_t word) {
  descriptors[static_cast<std::size_t>(descriptor)].store(word, std::memory_order_release);
  int highest = highestDescriptor.load();
  while (highest < descriptor && !highestDescriptor.compare_exchange_weak(highest, descriptor)) {
  }
}

/// In a forked child: devices opened by the parent stay open but are no longer of use, as with
/// the real driver, and the child starts a machine of its own when it opens one.
void afterForkInChild() {
  Machine::forget();
  for (int descriptor = 0; descriptor <= highestDescriptor.load(); ++descriptor) {
    const uint64_t word = descriptors[static_cast<std::size_t>(descriptor)].load();
    if (word != 0)
      setWord(descriptor, (word & UINT32_MAX) | kInherited | processBits());
  }
}

void registerForkHandler() {
  static std::atomic<bool> registered{false};
  if (!registered.exchange(true))
    pthread_atfork(nullptr, nullptr, afterForkInChild);
}

int remember(int descriptor, uint64_t word) {
  if (descriptor < 0)
    return -1;
  if (!isDescriptor(descriptor)) {
    real::close(descriptor);
    errno = EMFILE;
    return -1;
  }
  setWord(descriptor, word);
  return descriptor;
}

int openDevice(const VirtualPath& path, int flags) {
  registerForkHandler();
  BackingStore& store = Machine::instance().store();
  if (!store.valid()) {
    errno = ENOMEM;
    return -1;
  }
  const int command = (flags & O_CLOEXEC) != 0 ? F_DUPFD_CLOEXEC : F_DUPFD;
  return remember(real::fcntl(store.fileDescriptor(), command, 0), encode(path.kind, path.gpu));
}

int textDescriptor(const std::string& text, int flags) {
  const int descriptor =
      memfd_create("amdgpu-simulator-file", (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
  if (descriptor < 0)
    return -1;
  if (write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      lseek(descriptor, 0, SEEK_SET) != 0) {
    real::close(descriptor);
    errno = EIO;
    return -1;
  }
  return descriptor;
}

/// Directories that were opened by descriptor, by number.
class DirectoryNumbers {
public:
  uint64_t add(const SysfsNode* node) {
    const std::lock_guard lock(mutex_);
    nodes_.push_back(node);
    return nodes_.size() - 1;
  }
  const SysfsNode* at(uint64_t number) {
    const std::lock_guard lock(mutex_);
    return nodes_[number];
  }

private:
  std::mutex mutex_;
  std::vector<const SysfsNode*> nodes_;
};

DirectoryNumbers& directoryNumbers() {
  static auto* numbers = new DirectoryNumbers;
  return *numbers;
}

} // namespace

int openVirtual(const VirtualPath& path, int flags) {
  const bool forWriting = (flags & O_ACCMODE) != O_RDONLY;
  switch (path.kind) {
  case VirtualPath::Kind::Kfd:
  case VirtualPath::Kind::RenderNode:
    return openDevice(path, flags);
  case VirtualPath::Kind::File:
    if ((flags & O_DIRECTORY) != 0 || forWriting) {
      errno = forWriting ? EACCES : ENOTDIR;
      return -1;
    }
    return textDescriptor(path.node->text, flags);
  case VirtualPath::Kind::Directory:
    if (forWriting) {
      errno = EISDIR;
      return -1;
    }
    return remember(textDescriptor({}, flags),
                    encode(path.kind, directoryNumbers().add(path.node)));
  case VirtualPath::Kind::Absent:
    break;
  }
  errno = ENOENT;
  return -1;
}

std::optional<OpenFile> findOpenFile(int descriptor) {
  if (!isDescriptor(descriptor))
    return std::nullopt;
  const uint64_t word =
      descriptors[static_cast<std::size_t>(descriptor)].load(std::memory_order_acquire);
  if (word == 0)
    return std::nullopt;
  const uint64_t detail = (word & UINT32_MAX) >> kDetailShift;
  OpenFile file{.path = {.kind = static_cast<VirtualPath::Kind>((word & kKindMask) - 1)},
                .inherited = (word & kInherited) != 0};
  if (file.path.kind == VirtualPath::Kind::Directory)
    file.path.node = directoryNumbers().at(detail);
  else
    file.path.gpu = detail;
  return file;
}

void noteDuplicate(int original, int copy) {
  if (!isDescriptor(original) || !isDescriptor(copy))
    return;
  const uint64_t word = descriptors[static_cast<std::size_t>(original)].load();
  if (word != 0)
    setWord(copy, word);
}

void noteClosed(int descriptor) {
  if (!isDescriptor(descriptor))
    return;
  auto& word = descriptors[static_cast<std::size_t>(descriptor)];
  // A child of vfork() closes its own descriptors while it shares our memory.
  const uint64_t known = word.load(std::memory_order_acquire);
  if (known != 0 && (known >> kProcessShift) == static_cast<uint64_t>(getpid()))
    word.store(0, std::memory_order_release);
}

} // namespace gpusim
