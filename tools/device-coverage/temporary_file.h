// A nameless file on disk: bytes that should not stay in memory.
#pragma once

#include "file_descriptor.h"

namespace device_coverage {

/// Lives in $TMPDIR (or /tmp) without a name, so that nothing remains however the program ends.
class TemporaryFile {
public:
  /// Throws FormatError when no such file can be made.
  TemporaryFile();

  int descriptor() const noexcept { return file_.get(); }

private:
  FileDescriptor file_;
};

} // namespace device_coverage
