#include "packets/pm4.h"

#include <cstring>
#include <vector>

#include "driver/address_space.h"
#include "driver/log.h"

namespace gpusim {
namespace {

constexpr uint32_t kTypeShift = 30;
constexpr uint32_t kCommandType = 3;
constexpr uint32_t kNop = 0x10;
constexpr uint32_t kIndirectBuffer = 0x3f;
constexpr uint32_t kAcquireMem = 0x58;

constexpr uint32_t opcodeOf(uint32_t header) {
  return (header >> 8) & 0xff;
}
constexpr uint32_t bodyWordsOf(uint32_t header) {
  return ((header >> 16) & 0x3fff) + 1;
}

void runCommands(const std::vector<uint32_t>& words, Pm4Result& result) {
  for (std::size_t at = 0; at < words.size(); at += 1 + bodyWordsOf(words[at])) {
    const uint32_t header = words[at];
    const bool isCommand = header >> kTypeShift == kCommandType;
    if (isCommand && opcodeOf(header) == kAcquireMem) {
      result.invalidatesCaches = true;
    } else if (!isCommand || opcodeOf(header) != kNop) {
      result.error = "PM4 command " + hex(header) + " is not modelled";
      return;
    }
  }
}

} // namespace

Pm4Result runIndirectBuffer(const uint32_t (&jump)[4], const GuestMemory& memory) {
  Pm4Result result;
  if (jump[0] >> kTypeShift != kCommandType || opcodeOf(jump[0]) != kIndirectBuffer) {
    result.error = "PM4 command " + hex(jump[0]) + " where an indirect buffer was expected";
    return result;
  }
  result.address = (jump[1] & ~3u) | (uint64_t{jump[2] & 0xffff} << 32);
  const uint32_t count = jump[3] & 0xfffff;
  const std::byte* host = translate(memory, result.address, uint64_t{count} * 4, false);
  if (host == nullptr) {
    result.memoryFault = true;
    result.error = "PM4 indirect buffer at " + hex(result.address) + " is not mapped";
    return result;
  }
  std::vector<uint32_t> words(count);
  std::memcpy(words.data(), host, words.size() * sizeof(uint32_t));
  runCommands(words, result);
  return result;
}

} // namespace gpusim
