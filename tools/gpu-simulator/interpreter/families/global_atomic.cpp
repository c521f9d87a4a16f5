// Atomics of the FLAT encoding: flat_atomic_ and global_atomic_, with and without returned value.
#include "../operand_access.h"
#include "families.h"
#include "memory_atomic.h"

namespace gpusim {

namespace {

/// Private memory holds a 64-bit value in two pieces, which only their own lane can reach.
template <Space kSpace, class Atomic>
bool updatePieces(LaneMemory& memory, unsigned lane, uint64_t address,
                  const AtomicData<typename Atomic::Type>& data,
                  atomic::Bits<typename Atomic::Type>& old) {
  atomic::Bits<typename Atomic::Type> word = 0;
  auto* bytes = reinterpret_cast<std::byte*>(&word);
  const auto load = [&](const std::byte* host, unsigned done, unsigned count) {
    std::memcpy(bytes + done, host, count);
  };
  const auto store = [&](std::byte* host, unsigned done, unsigned count) {
    std::memcpy(host, bytes + done, count);
  };
  if (!memory.access<kSpace, sizeof word>(lane, address, load)) {
    return false;
  }
  old = Atomic::apply(&word, data);
  return memory.access<kSpace, sizeof word>(lane, address, store);
}

/// Operands: destination if `kReturns`, vector address, data, and (not for flat) scalar address.
template <Space kSpace, bool kReturns, class Atomic>
Step run(Wave& wave, const Instruction& instruction) {
  using T = typename Atomic::Type;
  constexpr unsigned kFirst = kReturns ? 1 : 0;
  wave.execution->countMemoryOperation();
  wave.execution->countAtomic();
  uint64_t addresses[kLanes];
  laneAddresses(wave, instruction, instruction.operands[kFirst], instruction.operands[kFirst + 2],
                kSpace, addresses);
  LaneMemory memory(wave, true);
  LaneBuffer<T> old;
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    const auto data = readAtomicData<Atomic>(wave, instruction.operands[kFirst + 1].index, lane);
    if (addresses[lane] % sizeof(T) != 0) {
      return unalignedAtomic(wave, instruction, lane, addresses[lane]);
    }
    bool whole = true;
    const auto apply = [&](std::byte* host, unsigned, unsigned count) {
      whole = count == sizeof(T);
      if (whole) {
        old.value[lane] = Atomic::apply(reinterpret_cast<atomic::Bits<T>*>(host), data);
      }
    };
    if (!memory.access<kSpace, sizeof(T)>(lane, addresses[lane], apply)) {
      return memoryViolation(wave, instruction, lane, addresses[lane], true);
    }
    if (!whole &&
        !updatePieces<kSpace, Atomic>(memory, lane, addresses[lane], data, old.value[lane])) {
      return memoryViolation(wave, instruction, lane, addresses[lane], true);
    }
  }
  if constexpr (kReturns) {
    writeLanes<T>(wave, instruction.operands[0], old);
  }
  return Step::Continue;
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Wide};
constexpr OperandSpec kIn{Role::Use, ValueType::Wide};

template <Space kSpace, bool kReturns, class Atomic>
constexpr Opcode row(std::string_view mnemonic) {
  Opcode opcode{mnemonic, run<kSpace, kReturns, Atomic>, {}, kOffset | kCacheBits, nullptr};
  unsigned next = 0;
  if constexpr (kReturns) {
    opcode.operands[next++] = kOut;
  }
  opcode.operands[next++] = kIn;
  opcode.operands[next++] = kIn;
  if constexpr (kSpace != Space::Flat) {
    opcode.operands[next++] = kIn;
  }
  return opcode;
}

// A macro because mnemonics are put together from literals.
#define GPUSIM_ATOMIC(name, ...)                                                                   \
  row<Space::Global, false, __VA_ARGS__>("global_atomic_" name),                                   \
      row<Space::Global, true, __VA_ARGS__>("global_atomic_" name " glc"),                         \
      row<Space::Flat, false, __VA_ARGS__>("flat_atomic_" name),                                   \
      row<Space::Flat, true, __VA_ARGS__>("flat_atomic_" name " glc")

constexpr Opcode kOpcodes[] = {
    GPUSIM_MEMORY_ATOMICS(GPUSIM_ATOMIC),
};

#undef GPUSIM_ATOMIC

} // namespace

Family globalAtomicFamily() {
  return kOpcodes;
}

} // namespace gpusim
