#include "mapped_file.h"

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <iterator>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_descriptor.h"
#include "message.h"

namespace device_coverage {
namespace {

using LiveMappings = std::map<const std::byte*, uint64_t, std::less<>>; // address, size

/// Each thread has its own: a mapping lives and ends in one.
LiveMappings& liveMappings() {
  thread_local LiveMappings mappings;
  return mappings;
}

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path, const std::string& phase) {
  const auto refuse = [&](const std::string& fact) {
    throw Failure({phase, fmt::format("{} {}", path.string(), fact), "it cannot be read",
                   "name a readable ELF file, archive, fat binary or code object"});
  };
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file)
    refuse(fmt::format("cannot be opened ({})", errnoText(errno)));
  struct stat status {};
  if (fstat(file.get(), &status) != 0)
    refuse(fmt::format("cannot be examined ({})", errnoText(errno)));
  if (S_ISDIR(status.st_mode))
    refuse("is a folder");
  if (!S_ISREG(status.st_mode))
    refuse("is not a regular file");
  if (status.st_size == 0)
    refuse("is empty");
  try {
    map(file.get(), static_cast<uint64_t>(status.st_size));
  } catch (const FormatError& error) {
    refuse(error.what());
  }
}

MappedFile::MappedFile(int fileDescriptor, uint64_t size) {
  map(fileDescriptor, size);
}

void MappedFile::map(int fileDescriptor, uint64_t size) {
  if (size == 0)
    return;
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fileDescriptor, 0);
  if (address == MAP_FAILED)
    throw FormatError(fmt::format("cannot be mapped ({})", errnoText(errno)));
  bytes_ = {static_cast<const std::byte*>(address), size};
  liveMappings().emplace(bytes_.data(), size);
}

MappedFile::~MappedFile() {
  if (bytes_.empty())
    return;
  liveMappings().erase(bytes_.data());
  munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void releaseMapped(Bytes part) noexcept {
  static const auto kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const LiveMappings& mappings = liveMappings();
  const auto after = mappings.upper_bound(part.data());
  if (after == mappings.begin())
    return;
  const auto& [address, size] = *std::prev(after);
  const auto offset = static_cast<uint64_t>(part.data() - address);
  if (offset > size || part.size() > size - offset)
    return;
  const uint64_t begin = (offset + kPage - 1) / kPage * kPage;
  const uint64_t end = (offset + part.size()) / kPage * kPage;
  if (begin < end)
    madvise(const_cast<std::byte*>(address) + begin, end - begin, MADV_DONTNEED);
}

} // namespace device_coverage
