#include "content_store.h"

#include <algorithm>
#include <cstring>

#include "content_hash.h"
#include "mapped_file.h"
#include "output_file.h"

namespace device_coverage {
namespace {

bool isSame(Bytes stored, Bytes content) {
  if (stored.size() != content.size())
    return false;
  bool same = true;
  forEachPiece(stored, [&](Bytes piece) {
    const Bytes other = content.subspan(static_cast<size_t>(piece.data() - stored.data()));
    same = same && (piece.empty() || std::memcmp(piece.data(), other.data(), piece.size()) == 0);
    releaseMapped(piece);
    releaseMapped(other.first(piece.size()));
  });
  return same;
}

} // namespace

bool ContentStore::isStored(const std::string& key, Bytes content) const {
  const auto [begin, end] = byHash_.equal_range(key);
  return std::any_of(begin, end, [&](const auto& stored) {
    const MappedFile file(stored.second, "objects");
    return isSame(file.bytes(), content);
  });
}

std::optional<std::filesystem::path> ContentStore::add(const std::string& prefix, Bytes content,
                                                       const std::string& extension) {
  const std::string key = prefix + "-" + contentHashText(content);
  if (isStored(key, content))
    return std::nullopt;
  // Two contents with one hash get two names.
  const size_t others = byHash_.count(key);
  const std::string suffix = others == 0 ? "" : fmt::format("-{}", others + 1);
  const std::filesystem::path path = folder_ / (key + suffix + extension);
  writeFile(path, content);
  byHash_.emplace(key, path);
  return path;
}

std::optional<std::filesystem::path> ContentStore::addInPlace(const std::string& prefix,
                                                              Bytes content,
                                                              const std::filesystem::path& path) {
  const std::string key = prefix + "-" + contentHashText(content);
  if (isStored(key, content))
    return std::nullopt;
  byHash_.emplace(key, path);
  return path;
}

} // namespace device_coverage
