#include "loaded_objects.h"

#include "elf_reader.h"
#include "mapped_file.h"

namespace device_coverage {
namespace {

/// Empty for archives and for what was linked without a build ID.
std::string buildIdOf(const std::filesystem::path& path) {
  const MappedFile file(path, "objects");
  return ElfFile::hasMagic(file.bytes()) ? ElfFile(file.bytes()).buildId() : std::string();
}

} // namespace

LoadedObjects splitByLoaded(const std::vector<std::filesystem::path>& objects,
                            const std::set<std::string>& binaryIds) {
  LoadedObjects result;
  for (const std::filesystem::path& path : objects) {
    const std::string id = buildIdOf(path);
    if (!id.empty() && !binaryIds.contains(id)) {
      result.unloaded.push_back(path);
      continue;
    }
    result.wanted.push_back(path);
    result.undecided += id.empty() ? 1 : 0;
  }
  return result;
}

} // namespace device_coverage
