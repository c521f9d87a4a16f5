// The profile files of this process: one per target ID, written again as a whole by each drain.
#pragma once

#include "memory.h"
#include "profile_name.h"

namespace device_coverage {

class ProfileFiles {
public:
  // To be called once, when the process starts: the folder of relative names, and
  // LLVM_PROFILE_FILE.
  void rememberStart();

  // A pattern instead of LLVM_PROFILE_FILE's; null goes back to that one. False when it is too
  // long.
  bool setPattern(const char* pattern);

  // Writes the profile of a target. False with a reason; files written before are then intact.
  bool write(const TargetId& target, const Bytes& content, Path& written, Reason& reason);

  // For a forked child: the same names to expand, but the parent's files stay the parent's.
  void continueFrom(const ProfileFiles& parent);

private:
  struct File {
    Path wanted;
    Path written; // differs where another process had the wanted name
  };

  Path startDirectory_;
  Path startPattern_;
  Path pattern_;
  Array<File*> files_;
};

} // namespace device_coverage
