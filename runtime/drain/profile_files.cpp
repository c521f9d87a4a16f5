#include "profile_files.h"

#include "whole_file.h"

#include <cstdlib>
#include <unistd.h>

namespace device_coverage {

void ProfileFiles::rememberStart() {
  char directory[4096];
  if (getcwd(directory, sizeof directory) != nullptr)
    startDirectory_ = Path(directory);
  else
    startDirectory_ = Path(".");
  const char* pattern = std::getenv("LLVM_PROFILE_FILE");
  if (pattern != nullptr)
    startPattern_ = Path(pattern);
  pattern_ = startPattern_;
}

bool ProfileFiles::setPattern(const char* pattern) {
  const Path wanted = pattern == nullptr ? startPattern_ : Path(pattern);
  if (!wanted.complete())
    return false;
  pattern_ = wanted;
  return true;
}

void ProfileFiles::continueFrom(const ProfileFiles& parent) {
  startDirectory_ = parent.startDirectory_;
  startPattern_ = parent.startPattern_;
  pattern_ = parent.pattern_;
}

bool ProfileFiles::write(const TargetId& target, const Bytes& content, Path& written,
                         Reason& reason) {
  Path wanted;
  const ProfileNameContext context = currentContext(startDirectory_.c_str());
  if (!expandProfileName(pattern_.c_str(), target, context, wanted, reason))
    return false;
  for (const File* file : files_) {
    if (file->wanted == wanted) {
      written = file->written;
      return replaceFile(written, content, reason);
    }
  }
  if (!writeNewFile(wanted, content, written, reason))
    return false;
  File* file = createForever<File>(File{wanted, written});
  if (file != nullptr)
    files_.push(file);
  return true;
}

} // namespace device_coverage
