// A folder for unfinished files inside the folder where they will be moved.
#pragma once

#include <filesystem>

namespace device_coverage {

class ScratchFolder {
public:
  /// Makes `parent` if need be, and a hidden folder in it. Throws Failure when that cannot be done.
  explicit ScratchFolder(std::filesystem::path parent);

  /// Removes the hidden folder with all that is left in it, and `parent` if it is empty.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

private:
  std::filesystem::path parent_;
  std::filesystem::path path_;
};

} // namespace device_coverage
