// A whole file as bytes without reading it into memory.
#pragma once

#include <filesystem>

#include "bytes.h"

namespace device_coverage {

/// Maps a regular file read-only; the kernel pages it in and out, so memory does not grow with it.
class MappedFile {
public:
  /// Throws Failure (with `phase`) when the file cannot be opened, is no regular file, or is empty.
  MappedFile(const std::filesystem::path& path, const std::string& phase);

  /// Maps an open file of `size` bytes; the descriptor may be closed afterwards.
  MappedFile(int fileDescriptor, uint64_t size);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  Bytes bytes() const noexcept { return bytes_; }

private:
  void map(int fileDescriptor, uint64_t size);

  Bytes bytes_;
};

/// Takes the pages within `part` out of this process's memory, where `part` is of a mapped file.
/// They can still be read, and come from the file again. Other bytes stay as they are.
void releaseMapped(Bytes part) noexcept;

} // namespace device_coverage
