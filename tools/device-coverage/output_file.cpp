#include "output_file.h"

#include <cerrno>
#include <fcntl.h>

#include "file_descriptor.h"
#include "message.h"

namespace device_coverage {

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
  while (!content.empty()) {
    const ssize_t written = write(file.get(), content.data(), content.size());
    if (written < 0 && errno != EINTR)
      failToWrite(path, errno);
    content = content.subspan(written < 0 ? 0 : static_cast<size_t>(written));
  }
}

void writeFile(const std::filesystem::path& path, std::string_view content) {
  writeFile(path, std::as_bytes(std::span(content)));
}

} // namespace device_coverage
