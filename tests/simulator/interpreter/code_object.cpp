#include "code_object.h"

#include <algorithm>

#include <elf.h>

#include "assembler.h"

namespace gpusim::test {

namespace {

constexpr uint64_t kArguments = 0x7d0000000000;
constexpr uint64_t kScratch = 0x7c0000000000;
constexpr uint64_t kPacket = 0x7b0000000000;
constexpr uint32_t kScratchSlots = 16;

/// The entries of an array of an ELF file.
template <class T>
std::vector<T> entries(const std::vector<std::byte>& file, uint64_t offset, uint64_t count) {
  std::vector<T> result(count);
  std::memcpy(result.data(), file.data() + offset, count * sizeof(T));
  return result;
}

Elf64_Ehdr headerOf(const std::vector<std::byte>& file) {
  return entries<Elf64_Ehdr>(file, 0, 1)[0];
}

std::vector<Elf64_Shdr> sectionsOf(const std::vector<std::byte>& file, uint32_t type) {
  const Elf64_Ehdr header = headerOf(file);
  auto sections = entries<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  std::erase_if(sections, [&](const Elf64_Shdr& each) { return each.sh_type != type; });
  return sections;
}

std::string architectureOf(const std::vector<std::byte>& file) {
  switch (headerOf(file).e_flags & 0xff) {
  case 0x2f:
    return "gfx906";
  case 0x30:
    return "gfx908";
  case 0x36:
    return "gfx1030";
  case 0x3f:
    return "gfx90a";
  case 0x41:
    return "gfx1100";
  case 0x4c:
    return "gfx942";
  case 0x4f:
    return "gfx950";
  default:
    return {};
  }
}

/// The hidden arguments of code object version 5: block counts, group sizes, remainders.
Arguments withHidden(const Arguments& arguments, const LaunchSize& size) {
  Arguments result;
  const size_t start = (arguments.bytes().size() + 7) / 8 * 8;
  for (size_t index = 0; index < start; ++index) {
    result.add(index < arguments.bytes().size() ? arguments.bytes()[index] : std::byte{0});
  }
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    result.add(size.grid[dimension] / size.group[dimension]);
  }
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    result.add(static_cast<uint16_t>(size.group[dimension]));
  }
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    result.add(static_cast<uint16_t>(size.grid[dimension] % size.group[dimension]));
  }
  return result;
}

} // namespace

CodeObject::CodeObject(const std::string& path, FlatMemory& memory) : memory_(memory) {
  const std::vector<std::byte> file = readFile(path);
  if (file.size() < sizeof(Elf64_Ehdr) || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0) {
    problem_ = path + " is no ELF file";
    return;
  }
  architecture_ = architectureOf(file);
  load(file);
  relocate(file);
  collectDescriptors(file);
}

void CodeObject::load(const std::vector<std::byte>& file) {
  const Elf64_Ehdr header = headerOf(file);
  const auto segments = entries<Elf64_Phdr>(file, header.e_phoff, header.e_phnum);
  uint64_t end = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD) {
      end = std::max(end, segment.p_vaddr + segment.p_memsz);
    }
  }
  memory_.map(kBase, (end + 4095) / 4096 * 4096);
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD) {
      std::memcpy(memory_.host(kBase + segment.p_vaddr), file.data() + segment.p_offset,
                  segment.p_filesz);
    }
  }
}

void CodeObject::relocate(const std::vector<std::byte>& file) {
  constexpr uint32_t kRelative64 = 13;
  for (const Elf64_Shdr& section : sectionsOf(file, SHT_RELA)) {
    const uint64_t count = section.sh_size / sizeof(Elf64_Rela);
    for (const Elf64_Rela& each : entries<Elf64_Rela>(file, section.sh_offset, count)) {
      if (ELF64_R_TYPE(each.r_info) != kRelative64) {
        problem_ = "relocation type " + std::to_string(ELF64_R_TYPE(each.r_info));
        continue;
      }
      memory_.write(kBase + each.r_offset, kBase + static_cast<uint64_t>(each.r_addend));
    }
  }
}

void CodeObject::collectDescriptors(const std::vector<std::byte>& file) {
  const Elf64_Ehdr header = headerOf(file);
  const auto all = entries<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  for (const Elf64_Shdr& section : sectionsOf(file, SHT_DYNSYM)) {
    const auto* names = reinterpret_cast<const char*>(file.data() + all[section.sh_link].sh_offset);
    const uint64_t count = section.sh_size / sizeof(Elf64_Sym);
    for (const Elf64_Sym& symbol : entries<Elf64_Sym>(file, section.sh_offset, count)) {
      const std::string name = names + symbol.st_name;
      if (name.ends_with(".kd")) {
        descriptors_[name.substr(0, name.size() - 3)] = kBase + symbol.st_value;
      }
    }
  }
}

Dispatch CodeObject::dispatch(const std::string& kernel, const LaunchSize& size,
                              const Arguments& arguments) {
  const std::vector<std::byte> bytes = withHidden(arguments, size).bytes();
  memory_.map(kArguments, bytes.size() + 256);
  std::memcpy(memory_.host(kArguments), bytes.data(), bytes.size());
  const uint64_t descriptor = descriptors_.at(kernel);
  Dispatch dispatch;
  dispatch.architecture = architecture_;
  hsa_kernel_dispatch_packet_t& packet = dispatch.packet;
  packet.workgroup_size_x = static_cast<uint16_t>(size.group[0]);
  packet.workgroup_size_y = static_cast<uint16_t>(size.group[1]);
  packet.workgroup_size_z = static_cast<uint16_t>(size.group[2]);
  packet.grid_size_x = size.grid[0];
  packet.grid_size_y = size.grid[1];
  packet.grid_size_z = size.grid[2];
  packet.group_segment_size = memory_.read<uint32_t>(descriptor);
  // Kernels with unbounded stacks get what the runtime would give them.
  constexpr uint32_t kDynamicStack = 16384;
  packet.private_segment_size = std::max(memory_.read<uint32_t>(descriptor + 4), kDynamicStack);
  packet.kernel_object = descriptor;
  packet.kernarg_address = reinterpret_cast<void*>(kArguments);
  memory_.map(kPacket, sizeof packet);
  memory_.write(kPacket, packet);
  dispatch.packetAddress = kPacket;
  dispatch.scratch = {kScratch, uint64_t{packet.private_segment_size} * 64, kScratchSlots};
  memory_.map(kScratch, dispatch.scratch.bytesPerWave * kScratchSlots);
  dispatch.sharedAperture = uint64_t{1} << 48;
  dispatch.privateAperture = uint64_t{2} << 48;
  return dispatch;
}

KernelExecution::Progress runToEnd(KernelExecution& execution, unsigned turns) {
  auto progress = KernelExecution::Progress::Running;
  for (unsigned turn = 0; turn < turns && progress == KernelExecution::Progress::Running; ++turn) {
    progress = execution.run(100000);
  }
  return progress;
}

} // namespace gpusim::test
