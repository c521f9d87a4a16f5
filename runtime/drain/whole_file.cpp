#include "whole_file.h"

#include "profile_name.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace device_coverage {
namespace {

constexpr unsigned kMostAttempts = 1000;
constexpr unsigned kRenameNoReplace = 1; // RENAME_NOREPLACE

void giveReason(Reason& reason, const char* step, const Path& path, int error) {
  reason.format("%s `%.160s` failed: %s", step, path.c_str(), std::strerror(error));
}

Path folderOf(const Path& path) {
  const char* slash = std::strrchr(path.c_str(), '/');
  Path folder;
  folder.append(path.c_str(), slash == nullptr ? 0 : static_cast<size_t>(slash - path.c_str()));
  return folder;
}

// Hidden, so that nobody who looks for *.profraw takes it, and short, so that it fits wherever the
// name itself does. Opened exclusively: processes of two machines can share a folder and a process
// ID.
int createTemporary(const Path& folder, Path& temporary) {
  for (unsigned attempt = 1; attempt <= kMostAttempts; ++attempt) {
    temporary = folder;
    temporary.format("/.device-coverage-%ld-%u.tmp", static_cast<long>(getpid()), attempt);
    const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  return -1;
}

bool writeAll(int file, const Bytes& content) {
  size_t done = 0;
  while (done < content.size) {
    const ssize_t written = write(file, content.data + done, content.size - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    done += static_cast<size_t>(written);
  }
  return true;
}

// close() reports what a network file system could not store.
bool writeTemporary(const Path& folder, const Bytes& content, Path& temporary, Reason& reason) {
  if (!createFolders(folder, reason))
    return false;
  const int file = createTemporary(folder, temporary);
  if (file < 0) {
    giveReason(reason, "creating", temporary, errno);
    return false;
  }
  const bool stored = writeAll(file, content);
  const int writeError = errno;
  const bool closed = close(file) == 0;
  if (stored && closed)
    return true;
  giveReason(reason, "writing", temporary, stored ? errno : writeError);
  unlink(temporary.c_str());
  return false;
}

// 0, or the error; EEXIST when the name is taken. Some file systems cannot rename without
// replacing, some have no links; the last way leaves an empty file if the process is killed in
// between.
int giveNewName(const Path& temporary, const Path& name) {
  if (syscall(SYS_renameat2, AT_FDCWD, temporary.c_str(), AT_FDCWD, name.c_str(),
              kRenameNoReplace) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return errno;
  if (link(temporary.c_str(), name.c_str()) == 0) {
    unlink(temporary.c_str());
    return 0;
  }
  if (errno == EEXIST)
    return errno;
  const int reserved = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (reserved < 0)
    return errno;
  close(reserved);
  return rename(temporary.c_str(), name.c_str()) == 0 ? 0 : errno;
}

} // namespace

bool createFolders(const Path& folder, Reason& reason) {
  Path part;
  for (const char* character = folder.c_str();; ++character) {
    const bool atEnd = *character == '\0';
    if ((*character == '/' || atEnd) && !part.empty() && mkdir(part.c_str(), 0777) != 0 &&
        errno != EEXIST) {
      const int error = errno;
      struct stat status;
      // A parent on a read-only file system, or one that may not be listed, can still be there.
      if (stat(part.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        giveReason(reason, "creating folder", part, error);
        return false;
      }
    }
    if (atEnd)
      return true;
    part.append(*character);
  }
}

bool writeNewFile(const Path& wanted, const Bytes& content, Path& written, Reason& reason) {
  Path temporary;
  if (!writeTemporary(folderOf(wanted), content, temporary, reason))
    return false;
  written = wanted;
  for (unsigned attempt = 1;; ++attempt) {
    const int error = giveNewName(temporary, written);
    if (error == 0)
      return true;
    if (error != EEXIST || attempt > kMostAttempts) {
      giveReason(reason, "naming", written, error);
      unlink(temporary.c_str());
      return false;
    }
    written = alternativeName(wanted, getpid(), attempt);
  }
}

bool replaceFile(const Path& path, const Bytes& content, Reason& reason) {
  Path temporary; // the folder may have been cleaned away since
  if (!writeTemporary(folderOf(path), content, temporary, reason))
    return false;
  if (rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  giveReason(reason, "naming", path, errno);
  unlink(temporary.c_str());
  return false;
}

} // namespace device_coverage
