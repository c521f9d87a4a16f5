// The C library's own functions, behind the ones this library stands in front of.
#pragma once

#include <cstdarg>
#include <cstdio>

#include <dirent.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace gpusim {

/// The next definition of `name` in link order. Resolved at the first call, because interposed
/// functions are called by other libraries' constructors before anything here could run.
template <typename Function>
class NextFunction {
public:
  constexpr explicit NextFunction(const char* name) : name_(name) {}

  Function* get() {
    Function* function = __atomic_load_n(&function_, __ATOMIC_ACQUIRE);
    if (function == nullptr) {
      function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      __atomic_store_n(&function_, function, __ATOMIC_RELEASE);
    }
    return function;
  }

  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }

private:
  const char* name_;
  Function* function_ = nullptr;
};

namespace real {

inline constinit NextFunction<int(const char*, int, ...)> open("open");
inline constinit NextFunction<int(int, const char*, int, ...)> openat("openat");
inline constinit NextFunction<int(int)> close("close");
inline constinit NextFunction<int(int)> dup("dup");
inline constinit NextFunction<int(int, int)> dup2("dup2");
inline constinit NextFunction<int(int, int, int)> dup3("dup3");
inline constinit NextFunction<int(int, int, ...)> fcntl("fcntl");
inline constinit NextFunction<int(int, unsigned long, ...)> ioctl("ioctl");
inline constinit NextFunction<void*(void*, size_t, int, int, int, off_t)> mmap("mmap");
inline constinit NextFunction<FILE*(const char*, const char*)> fopen("fopen");
inline constinit NextFunction<DIR*(const char*)> opendir("opendir");
inline constinit NextFunction<DIR*(int)> fdopendir("fdopendir");
inline constinit NextFunction<dirent*(DIR*)> readdir("readdir");
inline constinit NextFunction<int(DIR*)> closedir("closedir");
inline constinit NextFunction<void(DIR*)> rewinddir("rewinddir");
inline constinit NextFunction<int(DIR*)> dirfd("dirfd");
inline constinit NextFunction<int(const char*, int)> access("access");
inline constinit NextFunction<int(int, const char*, int, int)> faccessat("faccessat");
inline constinit NextFunction<int(const char*, struct stat*)> stat("stat");
inline constinit NextFunction<int(const char*, struct stat*)> lstat("lstat");
inline constinit NextFunction<int(int, struct stat*)> fstat("fstat");
inline constinit NextFunction<int(int, const char*, struct stat*, int)> fstatat("fstatat");
inline constinit NextFunction<int(int, const char*, int, unsigned, struct statx*)> statx("statx");

} // namespace real
} // namespace gpusim
