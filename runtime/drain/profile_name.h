// Where a device profile goes: LLVM_PROFILE_FILE's pattern, expanded when the file is written, so
// that a forked child never gets its parent's name, and with the target in front of the file's own
// name.
//
//   %p    process ID                      %h   host name
//   %t    TMPDIR, or /tmp                 %b   build ID of the executable, else of its path
//   %m    a number made from %b's value, then `_0`; %<N>m: `_<process ID modulo N>`
//   %c    nothing: continuous mode does not exist on a device
// As in LLVM's own runtime, an unknown pattern is dropped, and no pattern at all means
// default.profraw.
//
// A process never writes over a file it did not write itself: when the name is taken, by another
// process or by an earlier run, the process ID (and a number) is put before the name's last dot. So
// no pattern makes ranks overwrite each other, and %m needs no merging: reading all files gives the
// sum.
#pragma once

#include "target_id.h"

#include <sys/types.h>

namespace device_coverage {

// What the patterns stand for.
struct ProfileNameContext {
  const char* startDirectory; // of relative patterns
  const char* temporaryDirectory;
  const char* hostName;
  const char* binaryId; // hexadecimal
  pid_t process;
};

// The absolute path of `target`'s profile. False with a reason when it is too long or names a
// folder.
bool expandProfileName(const char* pattern, const TargetId& target,
                       const ProfileNameContext& context, Path& path, Reason& reason);

// The name to try after `attempt` names (from 1 on) were taken: `a/gfx90a.x.profraw` becomes
// `a/gfx90a.x-<process>.profraw`, then `a/gfx90a.x-<process>-2.profraw` and so on.
Path alternativeName(const Path& path, pid_t process, unsigned attempt);

// The context of this process. The texts live as long as the process.
ProfileNameContext currentContext(const char* startDirectory);

} // namespace device_coverage
