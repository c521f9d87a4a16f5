#include "profile_name.h"

#include "bytes.h"

#include <cstdlib>
#include <elf.h>
#include <link.h>
#include <unistd.h>

namespace device_coverage {
namespace {

constexpr const char kDefaultPattern[] = "default.profraw";
constexpr size_t kLongestBuildId = 64;

uint64_t hashOf(const uint8_t* bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

uint64_t hashOf(const char* text) {
  return hashOf(reinterpret_cast<const uint8_t*>(text), std::strlen(text));
}

// Expands what follows a percent sign and returns the number of characters it takes.
size_t expandOne(const char* code, const ProfileNameContext& context, Path& path) {
  switch (*code) {
  case 'p':
    path.format("%ld", static_cast<long>(context.process));
    return 1;
  case 'h':
    path.append(context.hostName);
    return 1;
  case 't':
    path.append(context.temporaryDirectory);
    return 1;
  case 'b':
    path.append(context.binaryId);
    return 1;
  case '\0':
    return 0;
  default:
    break;
  }
  size_t digits = 0;
  unsigned long pool = 0;
  for (; code[digits] >= '0' && code[digits] <= '9' && digits < 4; ++digits)
    pool = pool * 10 + static_cast<unsigned long>(code[digits] - '0');
  if (code[digits] != 'm')
    return 1;
  if (pool == 0)
    pool = 1;
  path.format("%llu_%lu", static_cast<unsigned long long>(hashOf(context.binaryId)),
              static_cast<unsigned long>(context.process) % pool);
  return digits + 1;
}

void expandPatterns(const char* pattern, const ProfileNameContext& context, Path& path) {
  while (*pattern != '\0') {
    if (*pattern == '%')
      pattern += 1 + expandOne(pattern + 1, context, path);
    else
      path.append(*pattern++);
  }
}

struct BuildIdText {
  char text[2 * kLongestBuildId + 1];
};

// The first object listed is the executable.
int readExecutableBuildId(dl_phdr_info* object, size_t, void* result) {
  BuildIdText& buildId = *static_cast<BuildIdText*>(result);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& program = object->dlpi_phdr[i];
    if (program.p_type != PT_NOTE)
      continue;
    Bytes rest{reinterpret_cast<const uint8_t*>(object->dlpi_addr + program.p_vaddr),
               static_cast<size_t>(program.p_memsz)};
    ElfW(Nhdr) note;
    while (rest.read(0, note)) {
      const uint64_t nameEnd = sizeof note + ((note.n_namesz + uint64_t{3}) & ~uint64_t{3});
      const uint64_t end = nameEnd + ((note.n_descsz + uint64_t{3}) & ~uint64_t{3});
      Bytes descriptor;
      if (!rest.slice(nameEnd, note.n_descsz, descriptor))
        break;
      if (note.n_type == NT_GNU_BUILD_ID && descriptor.size <= kLongestBuildId) {
        for (size_t byte = 0; byte < descriptor.size; ++byte)
          std::snprintf(buildId.text + 2 * byte, 3, "%02x", descriptor.data[byte]);
        return 1;
      }
      if (!rest.slice(end, rest.size > end ? rest.size - end : 0, rest))
        break;
    }
  }
  return 1;
}

const char* executableId() {
  static BuildIdText id;
  if (id.text[0] != '\0')
    return id.text;
  dl_iterate_phdr(readExecutableBuildId, &id);
  if (id.text[0] == '\0') {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    const size_t known = length > 0 ? static_cast<size_t>(length) : 0;
    std::snprintf(
        id.text, sizeof id.text, "%016llx",
        static_cast<unsigned long long>(hashOf(reinterpret_cast<const uint8_t*>(path), known)));
  }
  return id.text;
}

const char* hostName() {
  static char name[256];
  if (name[0] == '\0' && (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0'))
    std::strcpy(name, "localhost");
  return name;
}

} // namespace

bool expandProfileName(const char* pattern, const TargetId& target,
                       const ProfileNameContext& context, Path& path, Reason& reason) {
  if (pattern == nullptr || *pattern == '\0')
    pattern = kDefaultPattern;
  Path expanded;
  expandPatterns(pattern, context, expanded);
  path.clear();
  if (expanded.c_str()[0] != '/') {
    path.append(context.startDirectory);
    path.append('/');
  }
  const char* slash = std::strrchr(expanded.c_str(), '/');
  const char* file = slash == nullptr ? expanded.c_str() : slash + 1;
  path.append(expanded.c_str(), static_cast<size_t>(file - expanded.c_str()));
  path.append(targetIdAsFileName(target).c_str());
  path.append('.');
  path.append(file);
  if (*file == '\0')
    reason.format("the profile name pattern `%.100s` names a folder, not a file", pattern);
  else if (!expanded.complete() || !path.complete())
    reason.format("the profile name made from `%.100s...` is longer than 4095 bytes", pattern);
  return reason.empty();
}

Path alternativeName(const Path& path, pid_t process, unsigned attempt) {
  const char* slash = std::strrchr(path.c_str(), '/');
  const char* dot = std::strrchr(slash == nullptr ? path.c_str() : slash, '.');
  const char* end = path.c_str() + path.length();
  const char* split = dot == nullptr ? end : dot;
  Path name;
  name.append(path.c_str(), static_cast<size_t>(split - path.c_str()));
  name.format("-%ld", static_cast<long>(process));
  if (attempt > 1)
    name.format("-%u", attempt);
  name.append(split);
  return name;
}

ProfileNameContext currentContext(const char* startDirectory) {
  const char* temporary = std::getenv("TMPDIR");
  if (temporary == nullptr || *temporary == '\0')
    temporary = "/tmp";
  return ProfileNameContext{startDirectory, temporary, hostName(), executableId(), getpid()};
}

} // namespace device_coverage
