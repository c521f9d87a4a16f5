#include "source_text.h"

#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <memory>

namespace device_coverage {

std::optional<std::vector<std::string>> readLines(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream || std::filesystem::is_directory(path))
    return std::nullopt;
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r'))
      line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string readableName(const std::string& linkageName) {
  // LLVM puts the file in front of functions that are local to it: `file.cpp:_ZL1fv`, or with `;`.
  const size_t separator = linkageName.find_last_of(":;");
  const std::string mangled =
      separator == std::string::npos ? linkageName : linkageName.substr(separator + 1);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(readable.get()) : mangled;
}

} // namespace device_coverage
