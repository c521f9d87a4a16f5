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

/// A place in a file from which on, to the next segment, a count holds.
struct Segment {
  uint32_t line = 0;
  uint32_t column = 0;
  uint64_t count = 0;
  bool hasCount = false;      ///< false: no code from here on
  bool isRegionEntry = false; ///< a region begins here, rather than an outer one goes on
  bool isGap = false;         ///< between two statements; it must not decide a line's count
};

/// A condition and how often it came out each way.
struct BranchCount {
  uint32_t line = 0;
  uint32_t column = 0;
  uint64_t whenTrue = 0;
  uint64_t whenFalse = 0;
};

/// One function, or one instance of a template.
struct FunctionCoverage {
  std::string name; ///< linkage name
  uint32_t firstLine = 0;
  uint32_t lastLine = 0;
  uint64_t count = 0;
  Ratio regions;
};

struct FileCoverage {
  std::string path;
  Metrics metrics;
  std::vector<LineCount> lines;      ///< ascending
  std::vector<Segment> segments;     ///< in file order
  std::vector<BranchCount> branches; ///< the instances of a template added up
  std::vector<FunctionCoverage> functions;
};

struct SideCoverage {
  Side side = Side::host();
  Metrics totals; ///< the sum over `files`
  std::vector<FileCoverage> files;
  std::vector<std::string>
      mismatchedFunctions; ///< their profile is of other code; llvm-cov leaves them out
  std::vector<std::string>
      ambiguousFunctions; ///< there are counters of two bodies, and llvm-cov shows those of one
  size_t profiles = 0;    ///< raw profiles that were merged
  size_t objects = 0;     ///< objects that llvm-cov read
};

/// A side that was built or expected and could not be measured.
struct MissingSide {
  std::string name; ///< a side's name, or `device` when no target is known
  std::string reason;
};

} // namespace device_coverage
