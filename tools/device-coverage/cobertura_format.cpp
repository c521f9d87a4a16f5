#include "cobertura_format.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "markup.h"

namespace device_coverage {
namespace {

/// Four decimals, cut: only full coverage is 1.
std::string rateText(const Ratio& ratio) {
  constexpr uint64_t kScale = 10000;
  const uint64_t scaled = ratio.count == 0 ? kScale : ratio.covered * kScale / ratio.count;
  return fmt::format("{}.{:04}", scaled / kScale, scaled % kScale);
}

/// Lines and branches as the elements below count them.
struct Rates {
  Ratio lines, branches;

  Rates& operator+=(const Rates& other) {
    lines += other.lines;
    branches += other.branches;
    return *this;
  }
  std::string attributes() const {
    return fmt::format(R"(line-rate="{}" branch-rate="{}")", rateText(lines), rateText(branches));
  }
};

std::map<uint32_t, Ratio> branchesByLine(const FileCoverage& file) {
  std::map<uint32_t, Ratio> result;
  for (const BranchCount& branch : file.branches)
    for (const uint64_t count : {branch.whenTrue, branch.whenFalse})
      result[branch.line] += {count != 0 ? uint64_t{1} : 0, 1};
  return result;
}

Rates ratesOf(const FileCoverage& file, const std::map<uint32_t, Ratio>& branches) {
  Rates rates;
  for (const LineCount& line : file.lines) {
    rates.lines += {line.count != 0 ? uint64_t{1} : 0, 1};
    if (const auto found = branches.find(line.line); found != branches.end())
      rates.branches += found->second;
  }
  return rates;
}

std::string lineText(const LineCount& line, const std::map<uint32_t, Ratio>& branches) {
  const auto found = branches.find(line.line);
  if (found == branches.end())
    return fmt::format("      <line number=\"{}\" hits=\"{}\" branch=\"false\"/>\n", line.line,
                       line.count);
  const Ratio& ratio = found->second;
  return fmt::format("      <line number=\"{}\" hits=\"{}\" branch=\"true\" "
                     "condition-coverage=\"{}% ({}/{})\"/>\n",
                     line.line, line.count, ratio.covered * 100 / ratio.count, ratio.covered,
                     ratio.count);
}

std::string classText(const FileCoverage& file, const std::string& name, Rates& sum) {
  const auto branches = branchesByLine(file);
  const Rates rates = ratesOf(file, branches);
  sum += rates;
  std::string text = fmt::format("    <class name=\"{0}\" filename=\"{0}\" {1} complexity=\"0\">\n"
                                 "     <methods/>\n     <lines>\n",
                                 escapeMarkup(name), rates.attributes());
  for (const LineCount& line : file.lines)
    text += lineText(line, branches);
  return text + "     </lines>\n    </class>\n";
}

std::string nameBelow(const std::filesystem::path& root, const std::string& path) {
  const std::string relative = std::filesystem::path(path).lexically_relative(root).string();
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

struct Package {
  std::string classes;
  Rates rates;
};

} // namespace

std::string coberturaText(const SideCoverage& side, const std::filesystem::path& root,
                          time_t when) {
  std::map<std::string, Package> packages;
  Rates total;
  for (const FileCoverage& file : side.files) {
    const std::string name = nameBelow(root, file.path);
    Package& package = packages[std::filesystem::path(name).parent_path().string()];
    package.classes += classText(file, name, package.rates);
  }
  std::string body;
  for (const auto& [name, package] : packages) {
    total += package.rates;
    body +=
        fmt::format("  <package name=\"{}\" {} complexity=\"0\">\n   <classes>\n{}   </classes>\n"
                    "  </package>\n",
                    escapeMarkup(name), package.rates.attributes(), package.classes);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n"
      "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" "
      "branches-valid=\"{}\" complexity=\"0\" version=\"{}\" timestamp=\"{}\">\n"
      " <sources>\n  <source>{}</source>\n </sources>\n <packages>\n{} </packages>\n"
      "</coverage>\n",
      total.attributes(), total.lines.covered, total.lines.count, total.branches.covered,
      total.branches.count, escapeMarkup("device-coverage " + side.side.name()),
      static_cast<long long>(when), escapeMarkup(root.empty() ? "/" : root.string()), body);
}

} // namespace device_coverage
