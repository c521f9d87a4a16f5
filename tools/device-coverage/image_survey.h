// What host and device images of a build have in common with a chain that works.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

namespace device_coverage {

/// Device code of one file, uncompressed, in bytes.
struct DeviceCodeSize {
  std::filesystem::path file;
  uint64_t total = 0;
  uint64_t debugInformation = 0; ///< DWARF sections, within `total`
};

struct ImageSurvey {
  size_t codeObjects = 0;
  size_t instrumented = 0; ///< code objects with a coverage map
  size_t functions = 0;    ///< in their coverage maps
  std::set<std::string> targets;
  std::set<std::string>
      undefined;           ///< symbols of the profile runtime that instrumented code objects lack
  DeviceCodeSize largest;  ///< of the file with the most device code
  bool needsDrain = false; ///< a host image is linked with libdevice_coverage.so
};

/// Adds what is in a file. Throws Failure when it cannot be read.
void surveyImages(const std::filesystem::path& file, ImageSurvey& survey);

} // namespace device_coverage
