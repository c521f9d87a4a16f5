#include "stored_code_objects.h"

#include <set>

#include "profile_folder.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "code-objects"; // as the drain names it

} // namespace

std::vector<ManifestObject> storedCodeObjects(const std::vector<fs::path>& places) {
  std::set<fs::path> found;
  for (const fs::path& place : places) {
    std::error_code error;
    const fs::path folder =
        fs::is_regular_file(place, error) ? place.parent_path() / kFolder : place;
    for (const fs::path& file : findFiles(folder, ".hsaco"))
      if (file.parent_path().filename() == kFolder)
        found.insert(file);
  }
  std::vector<ManifestObject> objects;
  for (const fs::path& file : found)
    objects.push_back({file, ManifestObject::Kind::CodeObject});
  return objects;
}

size_t removeUnnamed(std::vector<ManifestObject>& stored, const std::set<std::string>& ids) {
  if (ids.empty())
    return 0;
  return std::erase_if(stored, [&](const ManifestObject& object) {
    const std::string name = object.path.stem().string(); // <target>-<ID>
    return !ids.contains(name.substr(name.rfind('-') + 1));
  });
}

} // namespace device_coverage
