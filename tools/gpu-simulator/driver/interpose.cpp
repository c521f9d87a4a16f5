// The functions of the C library that this library stands in front of.
//
// Each looks whether the call concerns a path or descriptor of the simulator and passes it on
// otherwise. Only what is defined here is visible outside the library (see exports.map).

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

#include "driver/device_request.h"
#include "driver/machine.h"
#include "driver/open_files.h"
#include "driver/real_libc.h"
#include "driver/virtual_directory.h"
#include "driver/virtual_paths.h"

namespace gpusim {
namespace {

using Kind = VirtualPath::Kind;

int openPath(int directory, const char* path, int flags, mode_t mode) {
  if (const auto found = findVirtualPath(absolutePath(directory, path)))
    return openVirtual(*found, flags);
  return real::openat(directory, path, flags, mode);
}

bool takesMode(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

int absent() {
  errno = ENOENT;
  return -1;
}

/// stat() of a path: 0 or -1 when it is ours, nothing otherwise.
std::optional<int> statPath(int directory, const char* path, struct stat* status) {
  const auto found = findVirtualPath(absolutePath(directory, path));
  if (!found)
    return std::nullopt;
  if (found->kind == Kind::Absent)
    return absent();
  describe(*found, *status);
  return 0;
}

std::optional<int> statDescriptor(int descriptor, struct stat* status) {
  const auto file = findOpenFile(descriptor);
  if (!file)
    return std::nullopt;
  describe(file->path, *status);
  return 0;
}

/// fstatat(): an empty path may stand for the descriptor itself.
std::optional<int> statAt(int directory, const char* path, struct stat* status, int flags) {
  if ((flags & AT_EMPTY_PATH) != 0 && path != nullptr && path[0] == '\0')
    return statDescriptor(directory, status);
  return statPath(directory, path, status);
}

void convert(const struct stat& plain, struct statx& status) {
  status = {};
  status.stx_mask = STATX_BASIC_STATS;
  status.stx_blksize = static_cast<uint32_t>(plain.st_blksize);
  status.stx_nlink = static_cast<uint32_t>(plain.st_nlink);
  status.stx_mode = static_cast<uint16_t>(plain.st_mode);
  status.stx_size = static_cast<uint64_t>(plain.st_size);
  status.stx_rdev_major = major(plain.st_rdev);
  status.stx_rdev_minor = minor(plain.st_rdev);
}

std::optional<int> accessPath(int directory, const char* path, int mode) {
  const auto found = findVirtualPath(absolutePath(directory, path));
  if (!found)
    return std::nullopt;
  if (found->kind == Kind::Absent)
    return absent();
  const bool device = found->kind == Kind::Kfd || found->kind == Kind::RenderNode;
  if (!device && (mode & W_OK) != 0) {
    errno = EACCES;
    return -1;
  }
  return 0;
}

FILE* openStream(const char* path, const char* mode) {
  const auto found = findVirtualPath(path);
  if (!found)
    return real::fopen(path, mode);
  const int access = std::strpbrk(mode, "wa+") != nullptr ? O_RDWR : O_RDONLY;
  const int descriptor =
      openVirtual(*found, access | (std::strchr(mode, 'e') != nullptr ? O_CLOEXEC : 0));
  return descriptor < 0 ? nullptr : fdopen(descriptor, mode);
}

DIR* openDirectory(const char* path) {
  const auto found = findVirtualPath(path);
  if (!found)
    return real::opendir(path);
  if (found->kind == Kind::Directory)
    return openVirtualDirectory(*found->node);
  errno = found->kind == Kind::Absent ? ENOENT : ENOTDIR;
  return nullptr;
}

dirent* readEntry(DIR* stream) {
  return isVirtualDirectory(stream) ? readVirtualDirectory(stream) : real::readdir(stream);
}

bool isDuplication(int command) {
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC;
}

int control(int descriptor, int command, void* argument) {
  const int result = real::fcntl(descriptor, command, argument);
  if (result >= 0 && isDuplication(command))
    noteDuplicate(descriptor, result);
  return result;
}

/// dup2() and dup3(): `copy` is closed first, unless it is `original`.
template <typename Duplicate>
int replace(int original, int copy, Duplicate duplicate) {
  if (original != copy)
    noteClosed(copy);
  const int result = duplicate();
  if (result >= 0)
    noteDuplicate(original, result);
  return result;
}

/// Device memory of this process is mapped as it is; that of another process lies in its file.
void* mapMemory(void* address, size_t length, int protection, int flags, int descriptor,
                off_t offset) {
  FilePlace place{.descriptor = descriptor, .offset = static_cast<uint64_t>(offset)};
  if (findOpenFile(descriptor))
    if (Machine* machine = Machine::existing())
      place = machine->storages().foreignPlace(place.offset).value_or(place);
  return real::mmap(address, length, protection, flags, place.descriptor,
                    static_cast<off_t>(place.offset));
}

} // namespace
} // namespace gpusim

#define GPUSIM_EXPORT extern "C" __attribute__((visibility("default")))

/// The optional mode of the open family.
#define GPUSIM_MODE(flags)                                                                         \
  mode_t mode = 0;                                                                                 \
  if (gpusim::takesMode(flags)) {                                                                  \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    mode = va_arg(rest, mode_t);                                                                   \
    va_end(rest);                                                                                  \
  }

GPUSIM_EXPORT int open(const char* path, int flags, ...) {
  GPUSIM_MODE(flags)
  return gpusim::openPath(AT_FDCWD, path, flags, mode);
}

GPUSIM_EXPORT int open64(const char* path, int flags, ...) {
  GPUSIM_MODE(flags)
  return gpusim::openPath(AT_FDCWD, path, flags, mode);
}

GPUSIM_EXPORT int openat(int directory, const char* path, int flags, ...) {
  GPUSIM_MODE(flags)
  return gpusim::openPath(directory, path, flags, mode);
}

GPUSIM_EXPORT int openat64(int directory, const char* path, int flags, ...) {
  GPUSIM_MODE(flags)
  return gpusim::openPath(directory, path, flags, mode);
}

// What fortified programs call when they pass no mode.
GPUSIM_EXPORT int __open_2(const char* path, int flags) {
  return gpusim::openPath(AT_FDCWD, path, flags, 0);
}

GPUSIM_EXPORT int __open64_2(const char* path, int flags) {
  return gpusim::openPath(AT_FDCWD, path, flags, 0);
}

GPUSIM_EXPORT int __openat_2(int directory, const char* path, int flags) {
  return gpusim::openPath(directory, path, flags, 0);
}

GPUSIM_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  return gpusim::openPath(directory, path, flags, 0);
}

GPUSIM_EXPORT FILE* fopen(const char* path, const char* mode) {
  return gpusim::openStream(path, mode);
}

GPUSIM_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return gpusim::openStream(path, mode);
}

GPUSIM_EXPORT int close(int descriptor) {
  gpusim::noteClosed(descriptor);
  return gpusim::real::close(descriptor);
}

GPUSIM_EXPORT int dup(int descriptor) noexcept {
  const int copy = gpusim::real::dup(descriptor);
  if (copy >= 0)
    gpusim::noteDuplicate(descriptor, copy);
  return copy;
}

GPUSIM_EXPORT int dup2(int original, int copy) noexcept {
  return gpusim::replace(original, copy, [=] { return gpusim::real::dup2(original, copy); });
}

GPUSIM_EXPORT int dup3(int original, int copy, int flags) noexcept {
  return gpusim::replace(original, copy, [=] { return gpusim::real::dup3(original, copy, flags); });
}

GPUSIM_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return gpusim::control(descriptor, command, argument);
}

GPUSIM_EXPORT int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return gpusim::control(descriptor, command, argument);
}

GPUSIM_EXPORT int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list rest;
  va_start(rest, request);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  if (const auto file = gpusim::findOpenFile(descriptor))
    return gpusim::deviceRequest(*file, request, argument);
  return gpusim::real::ioctl(descriptor, request, argument);
}

GPUSIM_EXPORT void* mmap(void* address, size_t length, int protection, int flags, int descriptor,
                         off_t offset) noexcept {
  return gpusim::mapMemory(address, length, protection, flags, descriptor, offset);
}

GPUSIM_EXPORT void* mmap64(void* address, size_t length, int protection, int flags, int descriptor,
                           off64_t offset) noexcept {
  return gpusim::mapMemory(address, length, protection, flags, descriptor, offset);
}

GPUSIM_EXPORT DIR* opendir(const char* path) {
  return gpusim::openDirectory(path);
}

GPUSIM_EXPORT DIR* fdopendir(int descriptor) {
  const auto file = gpusim::findOpenFile(descriptor);
  if (!file || file->path.kind != gpusim::VirtualPath::Kind::Directory)
    return gpusim::real::fdopendir(descriptor);
  close(descriptor); // the stream needs none, and now owns it
  return gpusim::openVirtualDirectory(*file->path.node);
}

GPUSIM_EXPORT dirent* readdir(DIR* stream) {
  return gpusim::readEntry(stream);
}

GPUSIM_EXPORT dirent64* readdir64(DIR* stream) {
  static_assert(sizeof(dirent) == sizeof(dirent64));
  return reinterpret_cast<dirent64*>(gpusim::readEntry(stream));
}

GPUSIM_EXPORT void rewinddir(DIR* stream) noexcept {
  if (gpusim::isVirtualDirectory(stream))
    return gpusim::rewindVirtualDirectory(stream);
  gpusim::real::rewinddir(stream);
}

GPUSIM_EXPORT int closedir(DIR* stream) {
  if (!gpusim::isVirtualDirectory(stream))
    return gpusim::real::closedir(stream);
  gpusim::closeVirtualDirectory(stream);
  return 0;
}

GPUSIM_EXPORT int dirfd(DIR* stream) noexcept {
  if (!gpusim::isVirtualDirectory(stream))
    return gpusim::real::dirfd(stream);
  errno = ENOTSUP;
  return -1;
}

GPUSIM_EXPORT int access(const char* path, int mode) noexcept {
  const auto ours = gpusim::accessPath(AT_FDCWD, path, mode);
  return ours ? *ours : gpusim::real::access(path, mode);
}

GPUSIM_EXPORT int faccessat(int directory, const char* path, int mode, int flags) noexcept {
  const auto ours = gpusim::accessPath(directory, path, mode);
  return ours ? *ours : gpusim::real::faccessat(directory, path, mode, flags);
}

// The stat family comes three times: by its names, by those for large files (the same on 64-bit
// systems), and by the ones that programs built before glibc 2.33 call.
#define GPUSIM_STAT_OF_PATH(name, status_t, realName)                                              \
  GPUSIM_EXPORT int name(const char* path, status_t* status) noexcept {                            \
    auto* plain = reinterpret_cast<struct stat*>(status);                                          \
    const auto ours = gpusim::statPath(AT_FDCWD, path, plain);                                     \
    return ours ? *ours : gpusim::real::realName(path, plain);                                     \
  }

#define GPUSIM_STAT_OF_DESCRIPTOR(name, status_t)                                                  \
  GPUSIM_EXPORT int name(int descriptor, status_t* status) noexcept {                              \
    auto* plain = reinterpret_cast<struct stat*>(status);                                          \
    const auto ours = gpusim::statDescriptor(descriptor, plain);                                   \
    return ours ? *ours : gpusim::real::fstat(descriptor, plain);                                  \
  }

#define GPUSIM_STAT_AT(name, status_t)                                                             \
  GPUSIM_EXPORT int name(int directory, const char* path, status_t* status, int flags) noexcept {  \
    auto* plain = reinterpret_cast<struct stat*>(status);                                          \
    const auto ours = gpusim::statAt(directory, path, plain, flags);                               \
    return ours ? *ours : gpusim::real::fstatat(directory, path, plain, flags);                    \
  }

static_assert(sizeof(struct stat) == sizeof(struct stat64));

GPUSIM_STAT_OF_PATH(stat, struct stat, stat)
GPUSIM_STAT_OF_PATH(stat64, struct stat64, stat)
GPUSIM_STAT_OF_PATH(lstat, struct stat, lstat)
GPUSIM_STAT_OF_PATH(lstat64, struct stat64, lstat)
GPUSIM_STAT_OF_DESCRIPTOR(fstat, struct stat)
GPUSIM_STAT_OF_DESCRIPTOR(fstat64, struct stat64)
GPUSIM_STAT_AT(fstatat, struct stat)
GPUSIM_STAT_AT(fstatat64, struct stat64)

GPUSIM_EXPORT int __xstat(int, const char* path, struct stat* status) noexcept {
  return stat(path, status);
}

GPUSIM_EXPORT int __xstat64(int, const char* path, struct stat64* status) noexcept {
  return stat64(path, status);
}

GPUSIM_EXPORT int __lxstat(int, const char* path, struct stat* status) noexcept {
  return lstat(path, status);
}

GPUSIM_EXPORT int __lxstat64(int, const char* path, struct stat64* status) noexcept {
  return lstat64(path, status);
}

GPUSIM_EXPORT int __fxstat(int, int descriptor, struct stat* status) noexcept {
  return fstat(descriptor, status);
}

GPUSIM_EXPORT int __fxstat64(int, int descriptor, struct stat64* status) noexcept {
  return fstat64(descriptor, status);
}

GPUSIM_EXPORT int statx(int directory, const char* path, int flags, unsigned mask,
                        struct statx* status) noexcept {
  struct stat plain {};
  const auto ours = gpusim::statAt(directory, path, &plain, flags);
  if (!ours)
    return gpusim::real::statx(directory, path, flags, mask, status);
  if (*ours == 0)
    gpusim::convert(plain, *status);
  return *ours;
}
