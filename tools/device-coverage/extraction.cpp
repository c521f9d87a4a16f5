#include "extraction.h"

#include <cerrno>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "content_store.h"
#include "message.h"
#include "object_scan.h"
#include "output_file.h"
#include "scratch_folder.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

class Extractor : public ObjectVisitor {
public:
  Extractor(const std::optional<TargetId>& target, const fs::path& folder)
      : target_(target), store_(folder) {}

  void codeObject(const Origin&, const CodeObject& object) override {
    seen_.insert(object.target().text());
    if (target_ && *target_ != object.target())
      return;
    if (const auto path = store_.add(object.target().fileName(), object.file().bytes(), ".hsaco"))
      written_.push_back(*path);
  }

  const std::set<std::string>& seen() const { return seen_; }
  const std::vector<fs::path>& written() const { return written_; }

private:
  const std::optional<TargetId>& target_;
  ContentStore store_;
  std::set<std::string> seen_;
  std::vector<fs::path> written_;
};

} // namespace

std::vector<fs::path> extractCodeObjects(const fs::path& file,
                                         const std::optional<TargetId>& target,
                                         const fs::path& folder) {
  const ScratchFolder scratch(folder);
  Extractor extractor(target, scratch.path());
  scanObject(file, "extract", extractor);
  if (extractor.written().empty())
    throw Failure({"extract",
                   fmt::format("{} holds no code object{} (there are: {})", file.string(),
                               target ? " for " + target->text() : "",
                               extractor.seen().empty()
                                   ? "none"
                                   : fmt::format("{}", fmt::join(extractor.seen(), ", "))),
                   "nothing is extracted", "see what it holds with device-coverage inspect"});
  std::vector<fs::path> paths;
  for (const fs::path& from : extractor.written()) {
    paths.push_back(folder / from.filename());
    std::error_code error;
    fs::rename(from, paths.back(), error);
    if (error)
      failToWrite(paths.back(), error.value());
  }
  return paths;
}

} // namespace device_coverage
