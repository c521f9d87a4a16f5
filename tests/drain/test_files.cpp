#include "test_files.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const std::filesystem::path kDeviceFolder = DEVICE_COVERAGE_TEST_DEVICE_DIR;

std::string trimmed(const std::string& line) {
  const size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? " " : line.substr(begin);
}

// `1, 2, 3]` as `1 2 3`.
std::string withoutCommas(const std::string& list) {
  std::string text;
  std::copy_if(list.begin(), list.end(), std::back_inserter(text),
               [](char character) { return character != ',' && character != ']'; });
  return text;
}

} // namespace

std::filesystem::path deviceElfPath(const std::string& name) {
  return kDeviceFolder / (name + ".co");
}

std::vector<uint8_t> deviceElf(const std::string& name) {
  return readFile(deviceElfPath(name));
}

std::vector<uint8_t> readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void writeFile(const std::filesystem::path& path, const void* bytes, size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  if (!file)
    throw std::runtime_error("cannot write " + path.string());
}

CommandResult run(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr)
    throw std::runtime_error("cannot run " + command);
  CommandResult result{0, {}};
  char part[4096];
  for (size_t size; (size = fread(part, 1, sizeof part, pipe)) != 0;)
    result.output.append(part, size);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "drain-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("cannot make " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> ScratchFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
    if (entry.is_regular_file())
      names.push_back(std::filesystem::relative(entry.path(), path_).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string countsIn(const std::filesystem::path& profile) {
  const ScratchFolder scratch;
  const std::filesystem::path merged = scratch.path() / "merged.profdata";
  const CommandResult merge =
      run("'" LLVM_PROFDATA "' merge -o '" + merged.string() + "' '" + profile.string() + "'");
  if (merge.status != 0)
    return merge.output;
  const CommandResult shown =
      run("'" LLVM_PROFDATA "' show --all-functions --counts '" + merged.string() + "'");
  const std::string functionCount = "Function count: ";
  const std::string blockCounts = "Block counts: [";
  std::istringstream lines(shown.output);
  std::vector<std::string> functions;
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.find(": ") == std::string::npos && line.back() == ':' && line != "Counters:")
      functions.push_back(line);
    else if (line.rfind(functionCount, 0) == 0)
      functions.back() += ' ' + line.substr(functionCount.size());
    else if (line.rfind(blockCounts, 0) == 0 && line != blockCounts + ']')
      functions.back() += ' ' + withoutCommas(line.substr(blockCounts.size()));
  }
  std::sort(functions.begin(), functions.end());
  std::string text;
  for (const std::string& function : functions)
    text += function + '\n';
  return text;
}
