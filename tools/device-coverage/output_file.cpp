#include "output_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_descriptor.h"
#include "mapped_file.h"
#include "message.h"

namespace device_coverage {
namespace {

/// Returns 0, or the `errno` value of what went wrong.
int writeAll(int file, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return errno;
    bytes = bytes.subspan(written < 0 ? 0 : static_cast<size_t>(written));
  }
  return 0;
}

/// A file that was cut short must not be taken for a whole one; devices stay.
void removeIfRegular(int file, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    unlink(path.c_str());
}

} // namespace

void failToWrite(const std::filesystem::path& path, int error) {
  throw Failure(
      {"output", fmt::format("{} cannot be written ({})", path.string(), errnoText(error)),
       "nothing new is published and an earlier result stays as it is",
       error == ENOSPC ? "free space on that disk" : "name a folder that can be written to"});
}

void writeFile(const std::filesystem::path& path, Bytes content) {
  constexpr mode_t kMode = 0666; // the umask decides
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
  if (!file)
    failToWrite(path, errno);
  forEachPiece(content, [&](Bytes piece) {
    if (const int error = writeAll(file.get(), piece); error != 0) {
      removeIfRegular(file.get(), path);
      failToWrite(path, error);
    }
    releaseMapped(piece);
  });
}

void writeFile(const std::filesystem::path& path, std::string_view content) {
  writeFile(path, std::as_bytes(std::span(content)));
}

} // namespace device_coverage
