// Files named by their content, each content once.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "bytes.h"

namespace device_coverage {

class ContentStore {
public:
  explicit ContentStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Stores `content` as `<prefix>-<hash><extension>` unless the same content was stored under this
  /// prefix before. Returns its path if it is new. Throws Failure when it cannot be written.
  std::optional<std::filesystem::path> add(const std::string& prefix, Bytes content,
                                           const std::string& extension);

  /// As add(), for a file that stays where it is.
  std::optional<std::filesystem::path> addInPlace(const std::string& prefix, Bytes content,
                                                  const std::filesystem::path& path);

private:
  bool isStored(const std::string& key, Bytes content) const;

  std::filesystem::path folder_;
  std::multimap<std::string, std::filesystem::path> byHash_;
};

} // namespace device_coverage
