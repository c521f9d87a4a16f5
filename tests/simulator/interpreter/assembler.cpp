#include "assembler.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <elf.h>
#include <unistd.h>

namespace gpusim::test {

namespace {

/// The section named `name` of an ELF relocatable file.
std::vector<std::byte> section(const std::vector<std::byte>& file, const char* name) {
  if (file.size() < sizeof(Elf64_Ehdr)) {
    return {};
  }
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), file.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const std::byte* names = file.data() + sections[header.e_shstrndx].sh_offset;
  for (const Elf64_Shdr& each : sections) {
    if (std::strcmp(reinterpret_cast<const char*>(names + each.sh_name), name) == 0) {
      const std::byte* begin = file.data() + each.sh_offset;
      return {begin, begin + each.sh_size};
    }
  }
  return {};
}

} // namespace

std::vector<std::byte> readFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(stream), {}};
  const auto* begin = reinterpret_cast<const std::byte*>(content.data());
  return {begin, begin + content.size()};
}

std::vector<std::byte> assemble(const std::string& text, const std::string& processor,
                                const std::string& features) {
  char folder[] = "/tmp/interpreter-test-XXXXXX";
  if (mkdtemp(folder) == nullptr) {
    return {};
  }
  const std::string source = std::string(folder) + "/code.s";
  const std::string object = std::string(folder) + "/code.o";
  std::ofstream(source) << text;
  const std::string command = std::string(LLVM_MC) +
                              " -triple amdgcn-amd-amdhsa -filetype=obj -mcpu=" + processor +
                              " -mattr=" + features + " -o " + object + " " + source;
  std::vector<std::byte> code;
  if (std::system(command.c_str()) == 0) {
    code = section(readFile(object), ".text");
  }
  std::filesystem::remove_all(folder);
  return code;
}

} // namespace gpusim::test
