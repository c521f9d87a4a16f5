#include "profile_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>

#include <fmt/format.h>

#include "file_descriptor.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

// "lprofr" between 0xff and 0x81, as a little- or big-endian number; "R" for profiles of 32-bit
// programs.
constexpr std::string_view kRawMagicMiddle = "forpl";
constexpr std::string_view kRawMagicMiddleSwapped = "lprof";

bool isRawProfile(std::string_view head) {
  return head.size() >= 8 &&
         (head.substr(2, 5) == kRawMagicMiddle || head.substr(1, 5) == kRawMagicMiddleSwapped);
}

Message leftOut(const fs::path& file, std::string_view fact, std::string_view remedy) {
  return {"profiles", fmt::format("{} {}", file.string(), fact), "it is not part of the report",
          std::string(remedy)};
}

/// Why a file that claims to be a raw profile cannot be one, as far as its first bytes tell;
/// llvm-profdata examines the rest.
std::optional<Message> faultOf(const fs::path& file) {
  const FileDescriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 8> head{};
  const ssize_t size = descriptor ? read(descriptor.get(), head.data(), head.size()) : -1;
  if (size < 0)
    return leftOut(file, fmt::format("cannot be read ({})", errnoText(errno)),
                   "give read permission and run the report again");
  if (size == 0)
    return leftOut(
        file, "is empty",
        "find out why its process wrote nothing (killed, disk full), remove the file and "
        "run the test again");
  if (file.extension() == ".profraw" && !isRawProfile({head.data(), static_cast<size_t>(size)}))
    return leftOut(file, "is no raw profile (its first bytes are not a profile's)",
                   "remove it, or give it another ending than .profraw");
  return std::nullopt;
}

[[noreturn]] void unreadable(const fs::path& place, const std::error_code& error) {
  throw Failure({"profiles",
                 fmt::format("{} cannot be read ({})", place.string(), errnoText(error.value())),
                 "no report is made", "give read permission or name another profile folder"});
}

} // namespace

size_t ProfileSet::size() const {
  size_t count = 0;
  for (const auto& [side, files] : bySide)
    count += files.size();
  return count;
}

std::vector<fs::path> findFiles(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::exists(folder, error))
    return files;
  fs::recursive_directory_iterator entry(folder, error);
  if (error)
    unreadable(folder, error);
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == extension && !entry->is_directory(error))
      files.push_back(fs::absolute(entry->path()));
    if (error)
      unreadable(entry->path(), error);
  }
  if (error)
    unreadable(folder, error);
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> findRawProfiles(const fs::path& folder) {
  return findFiles(folder, ".profraw");
}

ProfileSet collectProfiles(const std::vector<fs::path>& places) {
  std::vector<fs::path> files;
  for (const fs::path& place : places) {
    std::error_code error;
    if (fs::is_directory(place, error) || !fs::exists(place, error)) {
      const auto found = findRawProfiles(place);
      files.insert(files.end(), found.begin(), found.end());
    } else {
      files.push_back(fs::absolute(place));
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  ProfileSet result;
  for (const fs::path& file : files) {
    const Side side = Side::ofProfile(file.filename().string());
    auto& usable = result.bySide[side];
    if (auto fault = faultOf(file)) {
      ++result.refused[side];
      result.problems.push_back(std::move(*fault));
    } else {
      usable.push_back(file);
    }
  }
  return result;
}

} // namespace device_coverage
