#include "mapped_file.h"

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_descriptor.h"
#include "message.h"

namespace device_coverage {

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
}

void MappedFile::release(Bytes part) const noexcept {
  static const auto kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const std::less_equal<const std::byte*> notAfter;
  const bool isPart = notAfter(bytes_.data(), part.data()) &&
                      notAfter(part.data() + part.size(), bytes_.data() + bytes_.size());
  if (!isPart)
    return;
  const auto offset = static_cast<uint64_t>(part.data() - bytes_.data());
  const uint64_t begin = (offset + kPage - 1) / kPage * kPage;
  const uint64_t end = (offset + part.size()) / kPage * kPage;
  if (begin < end)
    madvise(const_cast<std::byte*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty())
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

} // namespace device_coverage
