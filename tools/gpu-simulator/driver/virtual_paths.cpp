#include "driver/virtual_paths.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "driver/configuration.h"
#include "driver/gpu.h"
#include "driver/log.h"
#include "driver/real_libc.h"

namespace gpusim {
namespace {

constexpr std::string_view kKfdPath = "/dev/kfd";
constexpr std::string_view kRenderPrefix = "/dev/dri/renderD";
constexpr std::string_view kModulesPath = "/proc/modules";
constexpr unsigned kKfdMajor = 234;

constexpr auto kOurPrefixes = std::to_array<std::string_view>({
    "/dev/kfd",
    "/dev/dri",
    "/dev/accel",
    "/sys/class/kfd",
    "/sys/devices/virtual/kfd",
    "/sys/module/amdgpu",
    "/sys/dev/char/226:",
    "/proc/modules",
});

bool isOurs(std::string_view path) {
  return std::ranges::any_of(kOurPrefixes,
                             [&](std::string_view prefix) { return path.starts_with(prefix); });
}

/// Without doubled slashes and without one at the end.
std::string tidy(const char* path) {
  std::string result;
  for (const char* at = path; *at != '\0'; ++at)
    if (*at != '/' || result.empty() || result.back() != '/')
      result.push_back(*at);
  if (result.size() > 1 && result.back() == '/')
    result.pop_back();
  return result;
}

/// The GPUs do not change while the process lives, forked children included.
const Configuration& configuration() {
  static std::atomic<const Configuration*> current{nullptr};
  const Configuration* known = current.load(std::memory_order_acquire);
  if (known != nullptr)
    return *known;
  const auto* fresh = new Configuration(configurationFromEnvironment());
  if (!current.compare_exchange_strong(known, fresh, std::memory_order_acq_rel)) {
    delete fresh;
    return *known;
  }
  if (!fresh->error.empty())
    logLine(fresh->error + "; the machine has no GPU; correct the setting");
  return *fresh;
}

const SysfsTree& tree() {
  static std::atomic<const SysfsTree*> current{nullptr};
  const SysfsTree* known = current.load(std::memory_order_acquire);
  if (known != nullptr)
    return *known;
  const auto* fresh = new SysfsTree(configuration().gpus, configuration().smallBar);
  if (current.compare_exchange_strong(known, fresh, std::memory_order_acq_rel))
    return *fresh;
  delete fresh;
  return *known;
}

/// The system's list of kernel modules with amdgpu added.
const SysfsNode& moduleList() {
  static std::atomic<const SysfsNode*> current{nullptr};
  const SysfsNode* known = current.load(std::memory_order_acquire);
  if (known != nullptr)
    return *known;
  auto* fresh = new SysfsNode;
  fresh->text = "amdgpu 1 0 - Live 0x0000000000000000\n";
  if (const int file = real::open("/proc/modules", O_RDONLY | O_CLOEXEC); file >= 0) {
    std::array<char, 4096> piece{};
    for (ssize_t count = 0; (count = read(file, piece.data(), piece.size())) > 0;)
      fresh->text.append(piece.data(), static_cast<std::size_t>(count));
    real::close(file);
  }
  if (current.compare_exchange_strong(known, fresh, std::memory_order_acq_rel))
    return *fresh;
  delete fresh;
  return *known;
}

VirtualPath findRenderNode(std::string_view digits) {
  std::size_t minor = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), minor);
  const std::size_t first = Gpu::kFirstRenderMinor;
  const bool exists = status == std::errc() && end == digits.data() + digits.size() &&
                      minor >= first && minor - first < configuration().gpus.size();
  if (!exists)
    return {.kind = VirtualPath::Kind::Absent};
  return {.kind = VirtualPath::Kind::RenderNode, .gpu = minor - first};
}

} // namespace

std::optional<VirtualPath> findVirtualPath(const char* path) {
  // The first letters tell nearly all paths apart; only our candidates are worth more.
  if (path == nullptr || path[0] != '/' ||
      (std::strncmp(path, "/dev/", 5) != 0 && std::strncmp(path, "/sys/", 5) != 0 &&
       std::strncmp(path, "/proc/", 6) != 0))
    return std::nullopt;
  const std::string clean = tidy(path);
  if (!isOurs(clean))
    return std::nullopt;
  if (clean == kKfdPath)
    return VirtualPath{.kind = configuration().gpus.empty() ? VirtualPath::Kind::Absent
                                                            : VirtualPath::Kind::Kfd};
  if (clean.starts_with(kRenderPrefix))
    return findRenderNode(std::string_view(clean).substr(kRenderPrefix.size()));
  const SysfsNode* node = clean == kModulesPath ? &moduleList() : tree().find(clean);
  if (node == nullptr)
    return VirtualPath{.kind = VirtualPath::Kind::Absent};
  return VirtualPath{.kind =
                         node->isDirectory ? VirtualPath::Kind::Directory : VirtualPath::Kind::File,
                     .node = node};
}

const char* absolutePath(int directory, const char* path) {
  return path != nullptr && (path[0] == '/' || directory == AT_FDCWD) ? path : nullptr;
}

void describe(const VirtualPath& path, struct stat& status) {
  status = {};
  status.st_nlink = 1;
  status.st_blksize = 4096;
  switch (path.kind) {
  case VirtualPath::Kind::Kfd:
    status.st_mode = S_IFCHR | 0666;
    status.st_rdev = makedev(kKfdMajor, 0);
    break;
  case VirtualPath::Kind::RenderNode:
    status.st_mode = S_IFCHR | 0666;
    status.st_rdev = makedev(kDrmMajor, Gpu::kFirstRenderMinor + path.gpu);
    break;
  case VirtualPath::Kind::Directory:
    status.st_mode = S_IFDIR | 0555;
    break;
  case VirtualPath::Kind::File:
    status.st_mode = S_IFREG | 0444;
    status.st_size = static_cast<off_t>(path.node->text.size());
    break;
  case VirtualPath::Kind::Absent:
    break;
  }
}

} // namespace gpusim
