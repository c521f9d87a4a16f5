#include "driver/virtual_directory.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <vector>

namespace gpusim {
namespace {

struct Stream {
  const SysfsNode& node;
  std::size_t position = 0;
  dirent entry{};
};

/// Streams that are open; leaked, because exit handlers may still close theirs.
struct OpenStreams {
  std::mutex mutex;
  std::vector<Stream*> streams;
};

std::atomic<std::size_t> openCount{0};

OpenStreams& openStreams() {
  static auto* streams = new OpenStreams;
  return *streams;
}

Stream& streamOf(DIR* stream) {
  return *reinterpret_cast<Stream*>(stream);
}

} // namespace

DIR* openVirtualDirectory(const SysfsNode& node) {
  auto* stream = new Stream{.node = node};
  OpenStreams& open = openStreams();
  const std::lock_guard lock(open.mutex);
  open.streams.push_back(stream);
  openCount.fetch_add(1, std::memory_order_release);
  return reinterpret_cast<DIR*>(stream);
}

bool isVirtualDirectory(DIR* stream) {
  if (openCount.load(std::memory_order_acquire) == 0)
    return false;
  OpenStreams& open = openStreams();
  const std::lock_guard lock(open.mutex);
  return std::ranges::find(open.streams, reinterpret_cast<Stream*>(stream)) != open.streams.end();
}

dirent* readVirtualDirectory(DIR* stream) {
  constexpr std::size_t kDots = 2; // "." and ".." come first
  Stream& directory = streamOf(stream);
  const std::size_t at = directory.position;
  if (at >= directory.node.names.size() + kDots)
    return nullptr;
  const char* name = at == 0 ? "." : at == 1 ? ".." : directory.node.names[at - kDots].c_str();
  ++directory.position;
  directory.entry = {};
  directory.entry.d_ino = directory.position;
  directory.entry.d_off = static_cast<off_t>(directory.position);
  directory.entry.d_reclen = sizeof(dirent);
  directory.entry.d_type = at < kDots ? DT_DIR : DT_UNKNOWN;
  std::strncpy(directory.entry.d_name, name, sizeof(directory.entry.d_name) - 1);
  return &directory.entry;
}

void rewindVirtualDirectory(DIR* stream) {
  streamOf(stream).position = 0;
}

void closeVirtualDirectory(DIR* stream) {
  OpenStreams& open = openStreams();
  {
    const std::lock_guard lock(open.mutex);
    std::erase(open.streams, &streamOf(stream));
  }
  openCount.fetch_sub(1, std::memory_order_release);
  delete &streamOf(stream);
}

} // namespace gpusim
