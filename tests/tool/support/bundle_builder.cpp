#include "bundle_builder.h"

#include <cstring>
#include <stdexcept>

#include <elf.h>
#include <zlib.h>
#include <zstd.h>

namespace test_support {
namespace {

std::string compress(const std::string& plain, Method method) {
  std::string result;
  if (method == Method::Zlib) {
    uLongf size = compressBound(plain.size());
    result.resize(size);
    if (::compress(reinterpret_cast<Bytef*>(result.data()), &size,
                   reinterpret_cast<const Bytef*>(plain.data()), plain.size()) != Z_OK)
      throw std::runtime_error("zlib");
    result.resize(size);
  } else {
    result.resize(ZSTD_compressBound(plain.size()));
    const size_t size = ZSTD_compress(result.data(), result.size(), plain.data(), plain.size(), 3);
    if (ZSTD_isError(size) != 0)
      throw std::runtime_error("zstd");
    result.resize(size);
  }
  return result;
}

} // namespace

void appendNumber(std::string& to, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i)
    to += static_cast<char>(value >> (8 * i));
}

std::string plainBundle(const std::vector<std::pair<std::string, std::string>>& entries,
                        size_t alignment) {
  const auto aligned = [&](size_t offset) {
    return (offset + alignment - 1) / alignment * alignment;
  };
  std::string bundle = "__CLANG_OFFLOAD_BUNDLE__";
  appendNumber(bundle, entries.size(), 8);
  size_t offset = bundle.size();
  for (const auto& [id, image] : entries)
    offset += 24 + id.size();
  std::string images;
  const size_t imagesBegin = offset = aligned(offset);
  for (const auto& [id, image] : entries) {
    appendNumber(bundle, offset, 8);
    appendNumber(bundle, image.size(), 8);
    appendNumber(bundle, id.size(), 8);
    bundle += id;
    images.resize(offset - imagesBegin, '\0');
    images += image;
    offset = aligned(offset + image.size());
  }
  bundle.resize(imagesBegin, '\0');
  return bundle + images;
}

std::string compressedBundle(const std::string& plain, uint16_t version, Method method) {
  const std::string content = compress(plain, method);
  const size_t sizeBytes = version == 3 ? 8 : 4;
  const size_t headerSize = 4 + 2 + 2 + (version == 1 ? 4 : 2 * sizeBytes) + 8;
  std::string bundle = "CCOB";
  appendNumber(bundle, version, 2);
  appendNumber(bundle, static_cast<uint16_t>(method), 2);
  if (version > 1)
    appendNumber(bundle, headerSize + content.size(), sizeBytes);
  appendNumber(bundle, plain.size(), sizeBytes);
  appendNumber(bundle, 0x1122334455667788, 8);
  return bundle + content;
}

std::string tinyCodeObject(uint32_t flags, const std::string& payload) {
  const std::string names(std::string("\0.shstrtab\0.payload\0", 20));
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = 64; // AMDGPU_HSA
  header.e_ident[EI_ABIVERSION] = 4;
  header.e_type = ET_DYN;
  header.e_machine = EM_AMDGPU;
  header.e_flags = flags;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  header.e_shoff = sizeof(header) + names.size() + payload.size();
  Elf64_Shdr sections[3]{};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = sizeof(header);
  sections[1].sh_size = names.size();
  sections[2].sh_name = 11;
  sections[2].sh_type = SHT_PROGBITS;
  sections[2].sh_offset = sizeof(header) + names.size();
  sections[2].sh_size = payload.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + names + payload +
         std::string(reinterpret_cast<const char*>(sections), sizeof(sections));
}

} // namespace test_support
