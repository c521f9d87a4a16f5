#include "expected_counts.h"

#include "exact-counts/input.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

std::map<std::string, uint64_t> tallyEvents(const Launch& launch) {
  const uint64_t threads = uint64_t{launch.blocks} * launch.threads;
  const std::vector<unsigned> input = countedInput(launch.count);
  std::map<std::string, uint64_t> tallies = {{"threads", threads}, {"blocks", launch.blocks},
                                             {"inside", 0},        {"iterations", 0},
                                             {"even", 0},          {"odd", 0},
                                             {"limited", 0},       {"finished", 0},
                                             {"double_steps", 0}};
  for (size_t i = 0; i < std::min<uint64_t>(threads, input.size()); ++i) {
    unsigned steps = 0;
    for (unsigned value = input[i]; value != 1 && steps < kStepLimit; ++steps) {
      const bool even = value % 2 == 0;
      ++tallies[even ? "even" : "odd"];
      value = even ? value / 2 : 3 * value + 1;
    }
    ++tallies["inside"];
    tallies["iterations"] += steps;
    ++tallies[steps == kStepLimit ? "limited" : "finished"];
    tallies["double_steps"] += std::min(steps, 2u);
  }
  for (auto& [name, tally] : tallies)
    tally *= launch.devices;
  return tallies;
}

std::map<unsigned, uint64_t> expectedLineCounts(const std::filesystem::path& source,
                                                const std::map<std::string, uint64_t>& tallies) {
  constexpr std::string_view kMark = "//= ";
  std::map<unsigned, uint64_t> counts;
  std::ifstream file(source);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    const size_t mark = line.find(kMark);
    if (mark == std::string::npos)
      continue;
    std::istringstream names(line.substr(mark + kMark.size()));
    uint64_t sum = 0;
    for (std::string name; names >> name;) {
      if (name == "+")
        continue;
      const auto tally = tallies.find(name);
      if (tally == tallies.end())
        throw std::runtime_error(source.string() + ":" + std::to_string(number) +
                                 ": no event is called '" + name + "'");
      sum += tally->second;
    }
    counts[number] = sum;
  }
  return counts;
}
