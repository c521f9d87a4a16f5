// What device code is wrapped in: clang offload bundles, plain or compressed, and LLVM's offload
// binaries.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bytes.h"
#include "compressed_bundle.h"
#include "target_id.h"

namespace device_coverage {

/// One piece of a container.
struct OffloadEntry {
  std::string id;                 ///< as written: `hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+`
  std::string kind;               ///< `host`, `hip`, `hipv4`, `openmp`, ...
  std::optional<TargetId> target; ///< for AMD GPUs
  Bytes image;

  bool isHost() const { return kind == "host"; }
};

struct OffloadContainer {
  enum class Format { Bundle, CompressedBundle, OffloadBinary };

  Format format = Format::Bundle;
  uint64_t offset = 0; ///< within the section or file
  uint64_t size = 0;   ///< bytes taken there
  std::optional<CompressedBundleHeader> compressed;
  std::vector<OffloadEntry> entries;
};

/// Whether the bytes begin with a magic word of one of the formats.
bool beginsOffloadContainer(Bytes bytes);

/// Splits a bundle entry ID into kind and target.
OffloadEntry parseEntryId(std::string_view id);

/// Calls `visit` for each container of a section in order; zeroes between them are padding. The
/// images are valid during the call only, and what is behind does not stay in memory. Throws
/// FormatError, with the offset, at whatever else stands there and at sizes that are wrong or cut;
/// containers before it were visited.
void forEachOffloadContainer(Bytes section,
                             const std::function<void(const OffloadContainer&)>& visit);

} // namespace device_coverage
