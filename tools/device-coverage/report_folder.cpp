#include "report_folder.h"

#include <array>

#include <fmt/format.h>

#include "message.h"
#include "output_file.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

// Results for people and machines last: who sees a new summary.txt finds the rest complete.
constexpr std::array<const char*, 7> kPublished{
    "code-objects", "profdata", "html", "lcov", "cobertura", "coverage.json", "summary.txt"};

} // namespace

void ReportFolder::publish() {
  const fs::path retired = staging() / ".retired";
  std::error_code error;
  fs::create_directory(retired, error);
  if (error)
    failToWrite(retired, error.value());
  for (const char* name : kPublished) {
    if (fs::exists(output_ / name)) {
      fs::rename(output_ / name, retired / name, error);
      if (error)
        failToWrite(output_ / name, error.value());
    }
    if (fs::exists(staging() / name)) {
      fs::rename(staging() / name, output_ / name, error);
      if (error)
        failToWrite(output_ / name, error.value());
    }
  }
}

size_t ReportFolder::remove(const fs::path& output) {
  size_t removed = 0;
  for (const char* name : kPublished) {
    std::error_code error;
    if (fs::remove_all(output / name, error) > 0)
      ++removed;
    if (error)
      throw Failure({"clean",
                     fmt::format("{} cannot be removed ({})", (output / name).string(),
                                 errnoText(error.value())),
                     "the earlier report is still there", "give write permission to its folder"});
  }
  std::error_code ignored;
  if (fs::is_empty(output, ignored))
    fs::remove(output, ignored);
  return removed;
}

} // namespace device_coverage
