#include "code_object_files.h"

#include "whole_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace device_coverage {
namespace {

constexpr const char kFolder[] = "code-objects/";
constexpr const char kSuffix[] = ".hsaco";
constexpr const char kDeleted[] = " (deleted)";

using Line = Text<1024>;

// One line of /proc/self/maps: `from-to rights offset device inode path`.
bool holdsFile(const Line& line, uintptr_t address) {
  unsigned long long from = 0;
  unsigned long long to = 0;
  unsigned long long inode = 0;
  if (std::sscanf(line.c_str(), "%llx-%llx %*s %*s %*s %llu", &from, &to, &inode) != 3 ||
      address < from || address >= to)
    return false;
  const size_t suffix = sizeof kDeleted - 1;
  const bool deleted =
      line.length() > suffix && std::strcmp(line.c_str() + line.length() - suffix, kDeleted) == 0;
  return inode != 0 && !deleted;
}

Path pathOf(const CodeObject& object, const Path& profile) {
  const char* slash = std::strrchr(profile.c_str(), '/');
  Path path;
  path.append(profile.c_str(), static_cast<size_t>(slash - profile.c_str()) + 1);
  path.append(kFolder);
  path.append(targetIdAsFileName(object.targetId).c_str());
  path.append('-');
  for (size_t i = 0; i < object.binaryId.size(); ++i)
    path.format("%02x", object.binaryId.data()[i]);
  path.append(kSuffix);
  return path;
}

} // namespace

bool isMappedFromFile(const void* address) {
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0)
    return false;
  Line line;
  bool found = false;
  char part[4096];
  for (ssize_t size; !found && (size = read(maps, part, sizeof part)) > 0;) {
    for (ssize_t i = 0; i < size && !found; ++i) {
      if (part[i] != '\n') {
        line.append(part[i]);
        continue;
      }
      found = holdsFile(line, reinterpret_cast<uintptr_t>(address));
      line.clear();
    }
  }
  close(maps);
  return found;
}

bool isToBeStored(const void* bytes) {
  const char* wanted = std::getenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS");
  if (wanted == nullptr || *wanted == '\0')
    return !isMappedFromFile(bytes);
  return std::strcmp(wanted, "0") != 0;
}

bool storeCodeObject(const CodeObject& object, const Bytes& elf, const Path& profile, Path& stored,
                     Reason& reason) {
  stored = pathOf(object, profile);
  if (!stored.complete()) {
    reason.append("its name is longer than 4095 bytes");
    return false;
  }
  struct stat status;
  // The name stands for the content, so a file of this name and size was stored by another process.
  if (stat(stored.c_str(), &status) == 0 && static_cast<uint64_t>(status.st_size) == elf.size)
    return true;
  return replaceFile(stored, elf, reason);
}

} // namespace device_coverage
