#include "object_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "content_store.h"
#include "object_scan.h"

namespace device_coverage {
namespace {

class Collector : public ObjectVisitor {
public:
  Collector(const std::set<Side>& wanted, const ObjectFolders& folders)
      : wanted_(wanted), codeObjects_(folders.codeObjects), members_(folders.scratch) {}

  void hostImage(const Origin& origin, const ElfFile& elf) override {
    if (!hasCoverageMap(elf)) {
      ++result_.uninstrumented[Side::host()];
      return;
    }
    // llvm-cov refuses an archive for its first member without a coverage map: it gets members one
    // by one.
    const auto path = origin.member.empty() ? members_.addInPlace("host", elf.bytes(), origin.file)
                                            : members_.add("host", elf.bytes(), ".o");
    if (path)
      result_.instrumented[Side::host()].push_back(*path);
  }

  void codeObject(const Origin& origin, const CodeObject& object) override {
    ++codeObjectsInFile_;
    const Side side = Side::device(object.target());
    if (!object.isInstrumented()) {
      ++result_.uninstrumented[side];
      return;
    }
    const std::string prefix = side.fileName();
    const Bytes bytes = object.file().bytes();
    const bool isFile = origin.member.empty() && !origin.container;
    const auto path = isFile || !wanted_.contains(side)
                          ? codeObjects_.addInPlace(prefix, bytes, origin.file)
                          : codeObjects_.add(prefix, bytes, ".elf");
    if (path)
      result_.instrumented[side].push_back(*path);
  }

  void scan(const ManifestObject& object) {
    codeObjectsInFile_ = 0;
    scanObject(object.path, "objects", *this);
    if (object.kind == ManifestObject::Kind::CodeObject && codeObjectsInFile_ == 0)
      throw Failure({"objects", fmt::format("{} holds no code object", object.path.string()),
                     "it adds nothing to the report",
                     "name an AMDGPU ELF or a fat binary, or list it as kind `host`"});
  }

  ObjectSet& result() { return result_; }

private:
  const std::set<Side>& wanted_;
  ContentStore codeObjects_;
  ContentStore members_;
  size_t codeObjectsInFile_ = 0;
  ObjectSet result_;
};

} // namespace

bool ObjectSet::holdsInstrumentedDeviceCode() const {
  return std::any_of(instrumented.begin(), instrumented.end(),
                     [](const auto& entry) { return !entry.first.isHost(); });
}

bool ObjectSet::holdsDeviceCode() const {
  return holdsInstrumentedDeviceCode() ||
         std::any_of(uninstrumented.begin(), uninstrumented.end(),
                     [](const auto& entry) { return !entry.first.isHost(); });
}

ObjectSet collectObjects(const std::vector<ManifestObject>& objects, const std::set<Side>& wanted,
                         const ObjectFolders& folders) {
  Collector collector(wanted, folders);
  for (const ManifestObject& object : objects) {
    try {
      collector.scan(object);
    } catch (const Failure& failure) {
      collector.result().problems.push_back(failure.message());
    }
  }
  ObjectSet result = std::move(collector.result());
  for (const auto& [side, count] : result.uninstrumented)
    result.notes.push_back(fmt::format("{}: {} object{} without a coverage map, not reported",
                                       side.name(), count, count == 1 ? "" : "s"));
  return result;
}

} // namespace device_coverage
