#include "code_object.h"

#include "amdgpu_processors.h"

namespace device_coverage {
namespace {

// Fields of e_flags, from the AMDGPU ABI.
constexpr uint32_t kProcessorMask = 0xff;
constexpr unsigned kXnackShift = 8;
constexpr unsigned kSrameccShift = 10;
constexpr uint32_t kFeatureMask = 3; // 0 unsupported, 1 any, 2 off, 3 on
constexpr uint32_t kFeatureOff = 2;
constexpr uint32_t kFeatureOn = 3;
// Code-object version 4 has ABI version 2; older ones have one bit per feature, for "on".
constexpr uint8_t kFirstAbiWithTargetId = 2;
constexpr uint32_t kOldXnackOn = 0x100;
constexpr uint32_t kOldSrameccOn = 0x200;

std::map<std::string, bool> featuresOf(uint32_t flags, uint8_t abiVersion) {
  std::map<std::string, bool> features;
  if (abiVersion < kFirstAbiWithTargetId) {
    if ((flags & kOldXnackOn) != 0)
      features["xnack"] = true;
    if ((flags & kOldSrameccOn) != 0)
      features["sramecc"] = true;
    return features;
  }
  for (const auto& [name, shift] :
       {std::pair{"xnack", kXnackShift}, std::pair{"sramecc", kSrameccShift}}) {
    const uint32_t value = (flags >> shift) & kFeatureMask;
    if (value == kFeatureOff || value == kFeatureOn)
      features[name] = value == kFeatureOn;
  }
  return features;
}

// A record of __llvm_covfun: name hash u64, data size u32, function hash u64, file names' hash u64,
// then the data; records are aligned to 8 bytes.
constexpr uint64_t kCoverageRecordHeader = 28;
constexpr uint64_t kCoverageRecordSizeOffset = 8;
constexpr uint64_t kCoverageRecordAlignment = 8;

} // namespace

bool hasCoverageMap(const ElfFile& file) {
  const ElfSection* map = file.find("__llvm_covmap");
  return map != nullptr && map->header.sh_size != 0;
}

size_t coverageFunctionCount(const ElfFile& file) {
  size_t count = 0;
  // An object file that is not yet linked has a section per function.
  for (const ElfSection& section : file.sections()) {
    if (section.name != "__llvm_covfun")
      continue;
    const Bytes records = file.content(section);
    for (uint64_t offset = 0; offset + kCoverageRecordHeader <= records.size(); ++count) {
      const auto size =
          readAt<uint32_t>(records, offset + kCoverageRecordSizeOffset, "a coverage record");
      offset += kCoverageRecordHeader + size;
      offset = (offset + kCoverageRecordAlignment - 1) & ~(kCoverageRecordAlignment - 1);
    }
  }
  return count;
}

CodeObject::CodeObject(ElfFile file, const std::optional<TargetId>& stated)
    : file_(std::move(file)) {
  const uint32_t flags = file_.header().e_flags;
  target_.architecture = amdgpuProcessorName(flags & kProcessorMask);
  if (target_.architecture.empty() && stated)
    target_.architecture = stated->architecture;
  if (target_.architecture.empty())
    throw FormatError(
        fmt::format("is for AMD GPU processor number {:#x}, which this version of device-coverage "
                    "does not know",
                    flags & kProcessorMask));
  target_.features = featuresOf(flags, file_.header().e_ident[EI_ABIVERSION]);
}

std::vector<std::string> CodeObject::kernels() const {
  constexpr std::string_view kEnding = ".kd";
  std::vector<std::string> names;
  file_.forEachSymbol([&](std::string_view name, const Elf64_Sym& symbol) {
    if (name.ends_with(kEnding) && symbol.st_shndx != SHN_UNDEF)
      names.emplace_back(name.substr(0, name.size() - kEnding.size()));
  });
  return names;
}

} // namespace device_coverage
