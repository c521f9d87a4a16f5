// One run of the command line with its figures.
#pragma once

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include "support/program.h"

namespace test_support {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

struct Measurement {
  device_coverage::ChildResult result;
  double seconds = 0;    ///< by the wall clock; printed and never asserted
  double cpuSeconds = 0; ///< of the program and the tools it ran
  uint64_t peak = 0;     ///< bytes resident in the largest process of all that this one ran so far
};

inline double cpuSecondsOf(const rusage& usage) {
  constexpr double kMicro = 1e-6;
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         kMicro * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Runs device-coverage with these arguments.
inline Measurement measureProgram(const std::vector<std::string>& arguments) {
  // A program's peak begins with that of the process that started it: it is made small.
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_CHILDREN, &before);
  const auto begin = std::chrono::steady_clock::now();
  Measurement measured{.result = runProgram(arguments)};
  measured.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  getrusage(RUSAGE_CHILDREN, &after);
  measured.cpuSeconds = cpuSecondsOf(after) - cpuSecondsOf(before);
  measured.peak = static_cast<uint64_t>(after.ru_maxrss) * 1024;
  return measured;
}

/// Prints the figures of what was measured, and keeps them in the test's record.
inline void printFigures(const std::string& what, const Measurement& measured) {
  const std::string text =
      fmt::format("{}: {:.2f} s ({:.2f} s of CPU), at most {} MiB in a process", what,
                  measured.seconds, measured.cpuSeconds, measured.peak / kMebibyte);
  fmt::print("{}\n", text);
  ::testing::Test::RecordProperty("figures", text);
}

} // namespace test_support
