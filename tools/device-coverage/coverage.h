// Coverage of one side, as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "side.h"

namespace device_coverage {

struct Ratio {
  uint64_t covered = 0;
  uint64_t count = 0;

  Ratio& operator+=(const Ratio& other) {
    covered += other.covered;
    count += other.count;
    return *this;
  }
  bool operator==(const Ratio&) const = default;
};

/// What llvm-cov summarises; functions are counted once for all instances of a template.
struct Metrics {
  Ratio lines, functions, regions, branches;

  Metrics& operator+=(const Metrics& other) {
    lines += other.lines;
    functions += other.functions;
    regions += other.regions;
    branches += other.branches;
    return *this;
  }
  bool operator==(const Metrics&) const = default;
};

/// How often a line ran; lines without code have none.
struct LineCount {
  uint32_t line = 0;
  uint64_t count = 0;

  bool operator==(const LineCount&) const = default;
};

struct FileCoverage {
  std::string path;
  Metrics metrics;
  std::vector<LineCount> lines; ///< ascending
};

struct SideCoverage {
  Side side = Side::host();
  Metrics totals; ///< the sum over `files`
  std::vector<FileCoverage> files;
  std::vector<std::string>
      mismatchedFunctions; ///< their profile is of other code; llvm-cov leaves them out
  size_t profiles = 0;     ///< raw profiles that were merged
  size_t objects = 0;      ///< objects that llvm-cov read
};

/// A side that was built or expected and could not be measured.
struct MissingSide {
  std::string name; ///< a side's name, or `device` when no target is known
  std::string reason;
};

} // namespace device_coverage
