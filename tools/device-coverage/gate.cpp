#include "gate.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "message.h"
#include "summary_text.h"

namespace device_coverage {
namespace {

constexpr uint64_t kScale = 10000; // decimals of a percent
constexpr uint64_t kWhole = 100 * kScale;
constexpr size_t kDecimals = 4;
constexpr std::array<std::string_view, 4> kMetrics{"lines", "functions", "regions", "branches"};

const Ratio& metricOf(const Metrics& metrics, const std::string& name) {
  if (name == "lines")
    return metrics.lines;
  if (name == "functions")
    return metrics.functions;
  return name == "regions" ? metrics.regions : metrics.branches;
}

bool isUnsigned(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The changed lines of a file that hold code on a side, as something to be covered.
Ratio changedRatio(const StoredFile& file, const std::string& side, const ChangedLines& changed) {
  Ratio ratio;
  const auto lines = file.lines.find(side);
  const auto numbers = changed.find(file.path);
  if (lines == file.lines.end() || numbers == changed.end())
    return ratio;
  for (const LineCount& line : lines->second) {
    if (!numbers->second.contains(line.line))
      continue;
    ++ratio.count;
    ratio.covered += line.count != 0 ? 1 : 0;
  }
  return ratio;
}

class Comparison {
public:
  Comparison(const StoredReport& report, const ChangedLines& changed)
      : report_(report), changed_(changed) {}

  void apply(const Gate& gate) {
    bool any = false;
    for (const auto& [side, metrics] : report_.sides) {
      if (!gate.side.empty() && gate.side != side && !(gate.side == "device" && side != "host"))
        continue;
      any = true;
      applyTo(gate, side, metrics);
    }
    if (!any)
      throw Failure(
          {"check", fmt::format("side {} is not in the report ({})", gate.side, whyMissing(gate)),
           "its gate cannot be decided", "see why it was not measured, or drop the gate"});
  }

  GateResult take() { return std::move(result_); }

private:
  void applyTo(const Gate& gate, const std::string& side, const Metrics& metrics) {
    switch (gate.scope) {
    case GateScope::Side:
      requireSomething(gate, side, metricOf(metrics, gate.metric));
      compare(gate, side, metricOf(metrics, gate.metric));
      break;
    case GateScope::EachFile:
      for (const StoredFile& file : report_.files)
        if (const auto found = file.sides.find(side); found != file.sides.end())
          compare(gate, fmt::format("{} {}", side, file.path),
                  metricOf(found->second, gate.metric));
      break;
    case GateScope::ChangedLines: {
      Ratio total;
      for (const StoredFile& file : report_.files)
        total += changedRatio(file, side, changed_);
      if (total.count == 0)
        result_.passed.push_back(fmt::format(
            "{} changed lines: none of the {} changed files has a changed line with code of this "
            "side, so that there is nothing to cover",
            side, changed_.size()));
      else
        compare(gate, side + " changed", total);
      break;
    }
    }
  }

  static void requireSomething(const Gate& gate, const std::string& side, const Ratio& ratio) {
    if (ratio.count == 0)
      throw Failure({"check", fmt::format("side {} has no {} to cover", side, gate.metric),
                     "its gate cannot be decided", "drop the gate or name another metric"});
  }

  void compare(const Gate& gate, const std::string& what, const Ratio& ratio) {
    const uint64_t needed = gate.minimum.needed(ratio.count);
    const std::string actual = fmt::format("{} {}: {}", what, gate.metric, percentText(ratio));
    if (ratio.covered >= needed)
      result_.passed.push_back(
          fmt::format("{}, at least {}% asked for", actual, gate.minimum.text()));
    else
      result_.fallen.push_back(
          {"check", fmt::format("{}, below the {}% asked for", actual, gate.minimum.text()),
           "this gate falls", fmt::format("cover at least {} more", needed - ratio.covered)});
  }

  std::string whyMissing(const Gate& gate) const {
    std::vector<std::string> reasons;
    for (const MissingSide& side : report_.missing)
      if (side.name == gate.side || (side.name == "device" && gate.side != "host"))
        reasons.push_back(side.reason);
    return reasons.empty() ? "it was not built for it"
                           : fmt::format("{}", fmt::join(reasons, "; "));
  }

  const StoredReport& report_;
  const ChangedLines& changed_;
  GateResult result_;
};

} // namespace

std::optional<Threshold> Threshold::parse(std::string_view text) {
  const size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  std::string decimals(dot == std::string_view::npos ? "0" : text.substr(dot + 1));
  constexpr size_t kWholeDigits = 3;
  if (!isUnsigned(whole) || whole.size() > kWholeDigits || !isUnsigned(decimals) ||
      decimals.size() > kDecimals)
    return std::nullopt;
  decimals.resize(kDecimals, '0');
  uint64_t percent = 0;
  uint64_t fraction = 0;
  std::from_chars(whole.data(), whole.data() + whole.size(), percent);
  std::from_chars(decimals.data(), decimals.data() + decimals.size(), fraction);
  const uint64_t scaled = percent * kScale + fraction;
  if (scaled > kWhole)
    return std::nullopt;
  return Threshold(scaled, std::string(text));
}

uint64_t Threshold::needed(uint64_t count) const {
  // count * scaled_ / kWhole, rounded up, without leaving 64 bits: the parts below kWhole apart.
  const uint64_t rest = (count % kWhole) * scaled_;
  return count / kWhole * scaled_ + (rest + kWhole - 1) / kWhole;
}

Gate Gate::parse(GateScope scope, const std::string& text) {
  const auto usage = [&](const std::string& remedy) {
    return Failure({"check", fmt::format("`{}` is not a gate", text), "nothing is checked", remedy},
                   ExitStatus::Usage);
  };
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos)
    throw usage("write [SIDE:]METRIC=PERCENT, such as gfx90a:lines=80");
  const auto minimum = Threshold::parse(std::string_view(text).substr(equals + 1));
  if (!minimum)
    throw usage("write a percentage from 0 to 100 with at most four decimals after `=`");
  const std::string left = text.substr(0, equals);
  const size_t colon = left.rfind(':');
  const std::string metric = colon == std::string::npos ? left : left.substr(colon + 1);
  if (std::find(kMetrics.begin(), kMetrics.end(), metric) == kMetrics.end())
    throw usage("name one of lines, functions, regions, branches");
  if (scope == GateScope::ChangedLines && metric != "lines")
    throw usage("changed code is known by line: name the metric lines");
  return {scope, colon == std::string::npos ? "" : left.substr(0, colon), metric, *minimum};
}

GateResult applyGates(const StoredReport& report, const std::vector<Gate>& gates,
                      const ChangedLines& changed) {
  Comparison comparison(report, changed);
  for (const Gate& gate : gates)
    comparison.apply(gate);
  return comparison.take();
}

} // namespace device_coverage
