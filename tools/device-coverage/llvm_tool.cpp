#include "llvm_tool.h"

#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "message.h"

namespace device_coverage {
namespace {

constexpr int kFirstSignalStatus = 129;

} // namespace

ChildResult LlvmTool::run(std::vector<std::string> arguments,
                          const std::optional<std::filesystem::path>& output) const {
  arguments.insert(arguments.begin(), path_);
  try {
    ChildResult result = runChild(arguments, output);
    if (result.status >= kFirstSignalStatus)
      throw Failure({"tools",
                     fmt::format("{} ({}) was ended by signal {}", name_, path_,
                                 result.status - (kFirstSignalStatus - 1)),
                     "its result is missing",
                     "run it by hand, and look for lack of memory or a broken installation"});
    return result;
  } catch (const std::system_error& error) {
    throw Failure(
        {"tools",
         fmt::format("{} ({}) cannot be run: {}", name_, path_, errnoText(error.code().value())),
         "no report can be made",
         fmt::format("install the {} of the compiler's own LLVM, or name it with --{}", name_,
                     name_)});
  }
}

ChildResult LlvmTool::runChecked(std::vector<std::string> arguments,
                                 const std::optional<std::filesystem::path>& output) const {
  ChildResult result = run(std::move(arguments), output);
  if (result.status != 0)
    throw Failure({"tools",
                   fmt::format("{} failed with status {}: {}", name_, result.status,
                               failureText(result.errorOutput)),
                   "its result is missing", "repair what it names and run the report again"});
  return result;
}

std::string LlvmTool::version() const {
  const std::string output = runChecked({"--version"}).output;
  constexpr std::string_view kKey = "LLVM version ";
  const size_t begin = output.find(kKey);
  if (begin == std::string::npos)
    throw Failure({"tools", fmt::format("{} does not state an LLVM version", path_),
                   "it is not taken for " + name_,
                   fmt::format("name LLVM's {} with --{}", name_, name_)});
  const size_t first = begin + kKey.size();
  return output.substr(first, output.find_first_of(" \n\r", first) - first);
}

std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty())
      lines.push_back(line);
  return lines;
}

std::string failureText(const std::string& errorOutput) {
  const std::vector<std::string> lines = splitLines(errorOutput);
  std::vector<std::string> errors;
  for (const std::string& line : lines)
    if (line.find("error: ") != std::string::npos || line.find("ERROR: ") != std::string::npos)
      errors.push_back(line);
  return fmt::format("{}", fmt::join(errors.empty() ? lines : errors, " / "));
}

std::string responseFileArgument(const std::string& argument) {
  std::string result = "\"";
  for (const char c : argument) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"\n";
}

} // namespace device_coverage
