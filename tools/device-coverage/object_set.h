// The objects of a report, by side.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "manifest.h"
#include "message.h"
#include "side.h"

namespace device_coverage {

/// Objects with a coverage map can be given to llvm-cov, which refuses others; those are only
/// counted.
struct ObjectSet {
  std::map<Side, std::vector<std::filesystem::path>> instrumented;
  std::map<Side, size_t> uninstrumented;
  std::vector<Message> problems; ///< objects that cannot be read
  std::vector<std::string> notes;

  bool holdsDeviceCode() const;
  bool holdsInstrumentedDeviceCode() const;
};

struct ObjectFolders {
  std::filesystem::path codeObjects; ///< for device ELFs taken out of fat binaries
  std::filesystem::path scratch;     ///< for what is needed during the run only
};

/// Looks through the objects. Device ELFs of the `wanted` sides are taken out of their containers,
/// each content once; those of other sides are listed under the name of the file that holds them.
ObjectSet collectObjects(const std::vector<ManifestObject>& objects, const std::set<Side>& wanted,
                         const ObjectFolders& folders);

} // namespace device_coverage
