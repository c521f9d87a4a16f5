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
    GPUSIM_ATOMIC("swap", MemoryUpdate<uint32_t, atomic::Swap>),
    GPUSIM_ATOMIC("swap_x2", MemoryUpdate<uint64_t, atomic::Swap>),
    GPUSIM_ATOMIC("cmpswap", MemoryCompareSwap<uint32_t>),
    GPUSIM_ATOMIC("cmpswap_x2", MemoryCompareSwap<uint64_t>),
    GPUSIM_ATOMIC("add", MemoryUpdate<uint32_t, atomic::Add>),
    GPUSIM_ATOMIC("add_x2", MemoryUpdate<uint64_t, atomic::Add>),
    GPUSIM_ATOMIC("sub", MemoryUpdate<uint32_t, atomic::Subtract>),
    GPUSIM_ATOMIC("sub_x2", MemoryUpdate<uint64_t, atomic::Subtract>),
    GPUSIM_ATOMIC("smin", MemoryUpdate<int32_t, atomic::Minimum>),
    GPUSIM_ATOMIC("smin_x2", MemoryUpdate<int64_t, atomic::Minimum>),
    GPUSIM_ATOMIC("umin", MemoryUpdate<uint32_t, atomic::Minimum>),
    GPUSIM_ATOMIC("umin_x2", MemoryUpdate<uint64_t, atomic::Minimum>),
    GPUSIM_ATOMIC("smax", MemoryUpdate<int32_t, atomic::Maximum>),
    GPUSIM_ATOMIC("smax_x2", MemoryUpdate<int64_t, atomic::Maximum>),
    GPUSIM_ATOMIC("umax", MemoryUpdate<uint32_t, atomic::Maximum>),
    GPUSIM_ATOMIC("umax_x2", MemoryUpdate<uint64_t, atomic::Maximum>),
    GPUSIM_ATOMIC("and", MemoryUpdate<uint32_t, atomic::And>),
    GPUSIM_ATOMIC("and_x2", MemoryUpdate<uint64_t, atomic::And>),
    GPUSIM_ATOMIC("or", MemoryUpdate<uint32_t, atomic::Or>),
    GPUSIM_ATOMIC("or_x2", MemoryUpdate<uint64_t, atomic::Or>),
    GPUSIM_ATOMIC("xor", MemoryUpdate<uint32_t, atomic::Xor>),
    GPUSIM_ATOMIC("xor_x2", MemoryUpdate<uint64_t, atomic::Xor>),
    GPUSIM_ATOMIC("inc", MemoryUpdate<uint32_t, atomic::Increment>),
    GPUSIM_ATOMIC("inc_x2", MemoryUpdate<uint64_t, atomic::Increment>),
    GPUSIM_ATOMIC("dec", MemoryUpdate<uint32_t, atomic::Decrement>),
    GPUSIM_ATOMIC("dec_x2", MemoryUpdate<uint64_t, atomic::Decrement>),
    GPUSIM_ATOMIC("add_f32", MemoryUpdate<float, atomic::FloatAdd>),
    GPUSIM_ATOMIC("add_f64", MemoryUpdate<double, atomic::FloatAdd>),
    GPUSIM_ATOMIC("min_f64", MemoryUpdate<double, atomic::FloatMinimum>),
    GPUSIM_ATOMIC("max_f64", MemoryUpdate<double, atomic::FloatMaximum>),
    GPUSIM_ATOMIC("pk_add_f16", MemoryUpdate<uint32_t, atomic::AddHalves>),
    GPUSIM_ATOMIC("pk_add_bf16", MemoryUpdate<uint32_t, atomic::AddBrainFloats>),
};

#undef GPUSIM_ATOMIC

} // namespace

Family bufferAtomicFamily() {
  return kOpcodes;
}

} // namespace gpusim
