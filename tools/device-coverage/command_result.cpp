#include "command_result.h"

#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

namespace device_coverage {
namespace {

constexpr int kVersion = 1; // of all commands' objects together

} // namespace

void printResult(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Failure(
        {"output", fmt::format("the standard output cannot be written ({})", errnoText(errno)),
         "what was printed is not the whole result",
         errno == ENOSPC ? "free space on that disk" : "send it to where it can be written"});
}

Json resultHead(std::string_view command) {
  return {{"format", fmt::format("device-coverage-{}", command)}, {"version", kVersion}};
}

std::string resultText(const Json& result) {
  return result.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json messageJson(const Message& message) {
  return {{"phase", message.phase},
          {"fact", message.fact},
          {"consequence", message.consequence},
          {"remedy", message.remedy}};
}

} // namespace device_coverage
