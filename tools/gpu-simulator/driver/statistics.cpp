#include "driver/statistics.h"

#include "driver/log.h"

namespace gpusim {

void StatisticsBook::record(std::size_t gpu, std::string_view kernel,
                            const ExecutionStatistics& statistics) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[{std::string(kernel), gpu}];
  ++entry.dispatches;
  entry.total.waves += statistics.waves;
  entry.total.instructions += statistics.instructions;
  entry.total.memoryOperations += statistics.memoryOperations;
  entry.total.atomics += statistics.atomics;
}

void StatisticsBook::print() const {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_)
    logLine("stats: gpu=" + std::to_string(key.second) + " dispatches=" +
            std::to_string(entry.dispatches) + " waves=" + std::to_string(entry.total.waves) +
            " instructions=" + std::to_string(entry.total.instructions) +
            " memory_operations=" + std::to_string(entry.total.memoryOperations) +
            " atomics=" + std::to_string(entry.total.atomics) + " kernel=" + key.first);
}

} // namespace gpusim
