// Atomics on untyped buffers (MUBUF), with and without returned value.
#include "buffer_addresses.h"
#include "families.h"
#include "memory_atomic.h"

namespace gpusim {

namespace {

/// Lanes outside the buffer change nothing and get 0. Operands: data (also the destination, if
/// `kReturns`), vector address, resource, scalar offset.
template <bool kReturns, class Atomic>
Step run(Wave& wave, const Instruction& instruction) {
  using T = typename Atomic::Type;
  wave.execution->countMemoryOperation();
  wave.execution->countAtomic();
  const BufferAddresses buffer(wave, instruction);
  uint64_t addresses[kLanes];
  const uint64_t inside = buffer.locate(0, sizeof(T), addresses);
  LaneMemory memory(wave, true);
  LaneBuffer<T> old{};
  for (uint64_t left = wave.exec() & inside; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    if (buffer.crossesElement(lane, sizeof(T))) {
      return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                  "an atomic across elements of a swizzled buffer");
    }
    const auto data = readAtomicData<Atomic>(wave, instruction.operands[0].index, lane);
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
    if (!memory.accessGlobal<sizeof(T)>(addresses[lane], apply) || !whole) {
      return memoryViolation(wave, instruction, lane, addresses[lane], true);
    }
  }
  if constexpr (kReturns) {
    Operand destination = instruction.operands[0];
    destination.registers = sizeof(T) / 4; // compare-and-swap has its operands in twice as many
    writeLanes<T>(wave, destination, old);
  }
  return Step::Continue;
}

template <bool kReturns, class Atomic>
constexpr Opcode row(std::string_view mnemonic) {
  constexpr OperandSpec kIn{Role::Use, ValueType::Wide};
  return {mnemonic,
          run<kReturns, Atomic>,
          {{{kReturns ? Role::Definition : Role::Use, ValueType::Wide},
            kIn,
            kIn,
            {Role::Use, ValueType::Bits32}}},
          kOffset | kCacheBits | kOffsetEnable | kIndexEnable,
          nullptr};
}

// A macro because mnemonics are put together from literals.
#define GPUSIM_ATOMIC(name, ...)                                                                   \
  row<false, __VA_ARGS__>("buffer_atomic_" name),                                                  \
      row<true, __VA_ARGS__>("buffer_atomic_" name " glc")

constexpr Opcode kOpcodes[] = {
    GPUSIM_MEMORY_ATOMICS(GPUSIM_ATOMIC),
};

#undef GPUSIM_ATOMIC

} // namespace

Family bufferAtomicFamily() {
  return kOpcodes;
}

} // namespace gpusim
