// What host and device images of a build have in common with a chain that works.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace device_coverage {

struct ImageSurvey {
  size_t codeObjects = 0;
  size_t instrumented = 0; ///< code objects with a coverage map
  size_t functions = 0;    ///< in their coverage maps
  std::set<std::string> targets;
  std::set<std::string>
      undefined;           ///< symbols of the profile runtime that instrumented code objects lack
  bool needsDrain = false; ///< a host image is linked with libdevice_coverage.so
};

/// Adds what is in a file. Throws Failure when it cannot be read.
void surveyImages(const std::filesystem::path& file, ImageSurvey& survey);

} // namespace device_coverage
