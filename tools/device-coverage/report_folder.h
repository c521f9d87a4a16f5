// The output folder of a report, which changes only when a new report is complete.
#pragma once

#include <filesystem>

#include "scratch_folder.h"

namespace device_coverage {

/// A new report is made in a hidden folder inside the output folder and moved from there name by
/// name, so that other files in the output folder (profiles, perhaps) stay untouched.
class ReportFolder {
public:
  /// Throws Failure when the folder cannot be made or written to.
  explicit ReportFolder(const std::filesystem::path& output) : output_(output), staging_(output) {}

  /// Where the new report is made. Names that start with a dot are not published.
  const std::filesystem::path& staging() const noexcept { return staging_.path(); }

  /// Replaces the previous report by the new one. Throws Failure when a name cannot be moved.
  void publish();

  /// Removes a published report and leaves everything else. Returns the number of names removed.
  static size_t remove(const std::filesystem::path& output);

private:
  std::filesystem::path output_;
  ScratchFolder staging_;
};

} // namespace device_coverage
