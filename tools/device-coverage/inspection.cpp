#include "inspection.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "command_result.h"
#include "object_scan.h"

namespace device_coverage {
namespace {

std::string wrappingText(const OffloadContainer& container) {
  if (container.format == OffloadContainer::Format::OffloadBinary)
    return "offload binary";
  if (!container.compressed)
    return "bundle";
  return fmt::format("CCOB v{} {}", container.compressed->version,
                     container.compressed->compression == Compression::Zlib ? "zlib" : "zstd");
}

class Inspector : public ObjectVisitor {
public:
  explicit Inspector(std::vector<InspectedEntry>& entries) : entries_(entries) {}

  void hostImage(const Origin& origin, const ElfFile& elf) override {
    InspectedEntry entry;
    entry.place = placeOf(origin);
    entry.wrapping = "file";
    entry.id = "host";
    entry.size = elf.bytes().size();
    entry.isInstrumented = hasCoverageMap(elf);
    entry.coverageFunctions = coverageFunctionCount(elf);
    entries_.push_back(std::move(entry));
  }

  void container(const Origin& origin, const OffloadContainer& container) override {
    for (const OffloadEntry& offload : container.entries) {
      InspectedEntry entry;
      entry.place = placeOf(origin);
      entry.wrapping = wrappingText(container);
      entry.id = offload.id;
      entry.target = offload.target;
      entry.size = offload.image.size();
      entries_.push_back(std::move(entry));
    }
    next_ = entries_.size() - container.entries.size();
  }

  void codeObject(const Origin& origin, const CodeObject& object) override {
    InspectedEntry& entry = origin.container ? entryOf(origin) : ownEntry(origin, object);
    entry.target = object.target();
    entry.isCodeObject = true;
    entry.isInstrumented = object.isInstrumented();
    entry.coverageFunctions = coverageFunctionCount(object.file());
    entry.kernels = object.kernels();
  }

private:
  static std::string placeOf(const Origin& origin) {
    return fmt::format("{}{}{}{}", origin.member, origin.member.empty() ? "" : " ", origin.section,
                       origin.container ? fmt::format("+{}", *origin.container) : "");
  }

  /// Code objects follow their container in the order of its entries.
  InspectedEntry& entryOf(const Origin& origin) {
    while (entries_.at(next_).id != origin.entryId)
      ++next_;
    return entries_[next_++];
  }

  InspectedEntry& ownEntry(const Origin& origin, const CodeObject& object) {
    entries_.push_back({.place = placeOf(origin),
                        .wrapping = "file",
                        .id = {},
                        .target = {},
                        .size = object.file().bytes().size(),
                        .kernels = {}});
    return entries_.back();
  }

  std::vector<InspectedEntry>& entries_;
  size_t next_ = 0; ///< where the next code object of the current container may be listed
};

/// Which entries a GPU would load: the strongest match within each container.
std::vector<bool> loadedBy(const std::vector<InspectedEntry>& entries,
                           const std::optional<TargetId>& gpu) {
  std::vector<bool> loaded(entries.size(), false);
  if (!gpu)
    return loaded;
  std::map<std::string, std::pair<int, size_t>> best; // place -> strength, index
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto strength = entries[i].target && entries[i].isCodeObject
                              ? matchStrength(*entries[i].target, *gpu)
                              : std::nullopt;
    if (!strength)
      continue;
    const auto [known, isNew] = best.try_emplace(entries[i].place, *strength, i);
    if (!isNew && known->second.first < *strength)
      known->second = {*strength, i};
  }
  for (const auto& [place, match] : best)
    loaded[match.second] = true;
  return loaded;
}

using Row = std::array<std::string, 7>;

Row rowOf(const InspectedEntry& entry, bool loaded) {
  return {entry.place.empty() ? "-" : entry.place,
          entry.wrapping,
          entry.id.empty() ? "-" : entry.id,
          (entry.target ? entry.target->text() : "-") + (loaded ? " *" : ""),
          std::to_string(entry.size),
          entry.isCodeObject ? std::to_string(entry.kernels.size()) : "-",
          entry.isInstrumented ? std::to_string(entry.coverageFunctions) : "-"};
}

std::string tableText(const std::vector<Row>& rows) {
  constexpr size_t kFirstNumber = 4; // numbers stand at the right of their columns
  std::array<size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += i < kFirstNumber ? fmt::format("{:<{}}  ", row[i], widths[i])
                               : fmt::format("{:>{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace

Inspection inspectFile(const std::filesystem::path& file) {
  Inspection inspection;
  inspection.file = file;
  Inspector inspector(inspection.entries);
  try {
    scanObject(file, "inspect", inspector);
  } catch (const Failure& failure) {
    inspection.problem = failure.message();
  }
  return inspection;
}

std::string inspectionText(const std::vector<Inspection>& inspections,
                           const std::optional<TargetId>& gpu) {
  std::string text;
  for (const Inspection& inspection : inspections) {
    if (inspection.entries.empty())
      continue;
    const std::vector<bool> loaded = loadedBy(inspection.entries, gpu);
    std::vector<Row> rows{
        {"place", "wrapping", "entry", "target", "bytes", "kernels", "functions"}};
    for (size_t i = 0; i < inspection.entries.size(); ++i)
      rows.push_back(rowOf(inspection.entries[i], loaded[i]));
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", inspection.file.string(),
                        tableText(rows));
    if (gpu)
      text += fmt::format("* loaded by a GPU with target ID {}: {}\n", gpu->text(),
                          std::count(loaded.begin(), loaded.end(), true));
  }
  return text;
}

std::string inspectionJson(const std::vector<Inspection>& inspections,
                           const std::optional<TargetId>& gpu) {
  Json result = resultHead("inspect");
  result["files"] = Json::array();
  for (const Inspection& inspection : inspections) {
    const std::vector<bool> loaded = loadedBy(inspection.entries, gpu);
    Json entries = Json::array();
    for (size_t i = 0; i < inspection.entries.size(); ++i) {
      const InspectedEntry& entry = inspection.entries[i];
      entries.push_back({{"place", entry.place},
                         {"wrapping", entry.wrapping},
                         {"id", entry.id},
                         {"target", entry.target ? Json(entry.target->text()) : Json()},
                         {"size", entry.size},
                         {"code_object", entry.isCodeObject},
                         {"instrumented", entry.isInstrumented},
                         {"coverage_functions", entry.coverageFunctions},
                         {"kernels", entry.kernels}});
      if (gpu)
        entries.back()["loaded"] = static_cast<bool>(loaded[i]);
    }
    result["files"].push_back(
        {{"file", inspection.file.string()},
         {"entries", std::move(entries)},
         {"problem", inspection.problem ? messageJson(*inspection.problem) : Json()}});
  }
  return resultText(result);
}

} // namespace device_coverage
