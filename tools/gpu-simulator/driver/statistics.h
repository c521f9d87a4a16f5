// What the kernels of a process did, summed by name.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "interpreter/interpreter.h"

namespace gpusim {

class StatisticsBook {
public:
  void record(std::size_t gpu, std::string_view kernel, const ExecutionStatistics& statistics);

  /// One line a kernel and GPU on standard error.
  void print() const;

private:
  struct Entry {
    uint64_t dispatches = 0;
    ExecutionStatistics total;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::size_t>, Entry> entries_;
};

} // namespace gpusim
