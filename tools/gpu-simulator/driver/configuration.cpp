#include "driver/configuration.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "driver/gpu_list.h"

namespace gpusim {
namespace {

/// The variable's value; unset and empty are the same.
std::string_view valueOf(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

template <typename Number>
void readNumber(const char* variable, Number minimum, Number& number, std::string& error) {
  const std::string_view text = valueOf(variable);
  if (text.empty())
    return;
  Number parsed = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (status != std::errc() || end != text.data() + text.size() || parsed < minimum) {
    error = std::string(variable) + " is `" + std::string(text) + "`, not a number of at least " +
            std::to_string(minimum);
    return;
  }
  number = parsed;
}

/// `on` and `off` are the words for it; unset is off.
void readSwitch(const char* variable, std::string_view on, std::string_view off, bool& value,
                std::string& error) {
  const std::string_view text = valueOf(variable);
  if (text == on)
    value = true;
  else if (!text.empty() && text != off)
    error = std::string(variable) + " is `" + std::string(text) + "`, not `" + std::string(on) +
            "` or `" + std::string(off) + "`";
}

} // namespace

TraceSetting parseTrace(std::string_view text) {
  constexpr std::string_view kInstructions = "instructions:";
  TraceSetting setting;
  if (text == "packets")
    setting.packets = true;
  else if (text.starts_with(kInstructions) && text.size() > kInstructions.size())
    setting.kernel = text.substr(kInstructions.size());
  else if (!text.empty() && text != "0")
    setting.error =
        "`" + std::string(text) + "` is neither `packets` nor `instructions:` with a kernel's name";
  return setting;
}

Configuration configurationFromEnvironment() {
  Configuration configuration;
  std::string& error = configuration.error;
  readNumber<uint64_t>(kSeedVariable, 0, configuration.seed, error);
  readNumber<uint32_t>(kResidentWavesVariable, 1, configuration.residentWaves, error);
  readSwitch(kStatisticsVariable, "1", "0", configuration.statistics, error);
  readSwitch(kBarVariable, "small", "large", configuration.smallBar, error);
  readSwitch(kWaitsVariable, "active", "blocked", configuration.keepsWaitHints, error);
  readSwitch(kLocalOverrunVariable, "discard", "fault", configuration.discardsLocalOverruns, error);
  TraceSetting trace = parseTrace(valueOf(kTraceVariable));
  configuration.tracePackets = trace.packets;
  configuration.tracedKernel = std::move(trace.kernel);
  if (!trace.error.empty())
    error = std::string(kTraceVariable) + ": " + trace.error;
  const std::string_view gpus = valueOf(kGpusVariable);
  GpuList list = parseGpuList(gpus.empty() ? "gfx90a" : gpus);
  if (!list.error.empty())
    error = std::string(kGpusVariable) + ": " + list.error;
  if (error.empty())
    configuration.gpus = std::move(list.gpus);
  return configuration;
}

} // namespace gpusim
