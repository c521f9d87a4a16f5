#include "temporary_file.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "bytes.h"
#include "message.h"

namespace device_coverage {

TemporaryFile::TemporaryFile() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  std::string name = (folder / "device-coverage-XXXXXX").string();
  if (!error)
    file_ = FileDescriptor(mkstemp(name.data()));
  if (!file_)
    throw FormatError(fmt::format("needs a temporary file, and none can be made in {} ({})",
                                  error ? "$TMPDIR" : folder.string(),
                                  error ? error.message() : errnoText(errno)));
  unlink(name.c_str());
}

} // namespace device_coverage
