#include "packets/kernel_metadata.h"

#include <algorithm>

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/BinaryFormat/MsgPackDocument.h>

#include "packets/loaded_image.h"

namespace gpusim {
namespace {

using llvm::msgpack::ArrayDocNode;
using llvm::msgpack::DocNode;
using llvm::msgpack::MapDocNode;

/// The MessagePack text of the image's first note; empty when that is no AMDGPU metadata.
std::string_view metadataOf(const LoadedImage& image) {
  const Elf64_Phdr* notes = image.segment(PT_NOTE);
  const auto* header = notes == nullptr ? nullptr : image.at<Elf64_Nhdr>(notes->p_vaddr);
  if (header == nullptr || header->n_type != llvm::ELF::NT_AMDGPU_METADATA)
    return {};
  constexpr uint64_t kAlignment = 4;
  const uint64_t nameBytes = (header->n_namesz + kAlignment - 1) & ~(kAlignment - 1);
  const uint64_t offset = notes->p_vaddr + sizeof(Elf64_Nhdr) + nameBytes;
  const char* text = image.at<char>(offset, header->n_descsz);
  return text == nullptr ? std::string_view() : std::string_view(text, header->n_descsz);
}

/// The entry of a map, or null: looking one up with [] would add it.
DocNode* entryOf(DocNode& node, llvm::StringRef key) {
  if (!node.isMap())
    return nullptr;
  MapDocNode& map = node.getMap();
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

bool isText(const DocNode* node, std::string_view text) {
  return node != nullptr && node->getKind() == llvm::msgpack::Type::String &&
         std::string_view(node->getString()) == text;
}

DocNode* itemWith(DocNode* list, llvm::StringRef key, std::string_view text) {
  if (list == nullptr || !list->isArray())
    return nullptr;
  ArrayDocNode& items = list->getArray();
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](DocNode& item) { return isText(entryOf(item, key), text); });
  return found == items.end() ? nullptr : &*found;
}

} // namespace

bool kernelTakesArgument(const GuestMemory& memory, uint64_t kernelObject,
                         std::string_view valueKind) {
  const auto image = LoadedImage::around(memory, kernelObject);
  if (!image)
    return false;
  llvm::msgpack::Document document;
  if (!document.readFromBlob(metadataOf(*image), false))
    return false;
  DocNode* kernels = entryOf(document.getRoot(), "amdhsa.kernels");
  DocNode* kernel = itemWith(kernels, ".symbol", image->symbolAt(kernelObject));
  return kernel != nullptr && itemWith(entryOf(*kernel, ".args"), ".value_kind", valueKind);
}

} // namespace gpusim
