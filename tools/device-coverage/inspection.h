// What a file holds, for people and for machines.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "message.h"
#include "target_id.h"

namespace device_coverage {

struct InspectedEntry {
  std::string place;    ///< where in the file: archive member, section, offset
  std::string wrapping; ///< `bundle`, `CCOB v3 zstd`, `offload binary`, or `file`
  std::string id;       ///< entry ID, or `host`, or empty for a code object in a file of its own
  std::optional<TargetId> target; ///< that the code object states, else that its entry states
  uint64_t size = 0;
  bool isCodeObject = false;
  bool isInstrumented = false;
  size_t coverageFunctions = 0; ///< in the coverage map
  std::vector<std::string> kernels;
};

struct Inspection {
  std::filesystem::path file;
  std::vector<InspectedEntry> entries;
  std::optional<Message> problem; ///< why it could not be read to its end
};

Inspection inspectFile(const std::filesystem::path& file);

/// A table per file. With `gpu`, entries that HIP would load on it are marked: of each container
/// the best match.
std::string inspectionText(const std::vector<Inspection>& inspections,
                           const std::optional<TargetId>& gpu);

/// The same for machines, with the names of all kernels.
std::string inspectionJson(const std::vector<Inspection>& inspections,
                           const std::optional<TargetId>& gpu);

} // namespace device_coverage
