// Atomics of the scalar unit, on plain memory and in buffers.
#include "../atomic_operation.h"
#include "../lane_memory.h"
#include "families.h"
#include "scalar_address.h"

namespace gpusim {

namespace {

/// Value of an operand's registers `first` and, for 64 bits, the next.
template <class T>
atomic::Bits<T> scalarBits(const Wave& wave, unsigned first) {
  if constexpr (sizeof(T) == 8) {
    return wave.pair(first);
  } else {
    return wave.sgpr[first];
  }
}

template <class T, template <class> class Operation>
struct Update {
  using Type = T;
  static atomic::Bits<T> apply(atomic::Bits<T>* word, const Wave& wave, unsigned data) {
    return atomic::update<T, Operation>(word, scalarBits<T>(wave, data));
  }
};

/// The new value, then the expected one.
template <class T>
struct CompareSwap {
  using Type = T;
  static atomic::Bits<T> apply(atomic::Bits<T>* word, const Wave& wave, unsigned data) {
    return atomic::compareSwap<T>(word, scalarBits<T>(wave, data),
                                  scalarBits<T>(wave, data + sizeof(T) / 4));
  }
};

/// The address; empty when it lies outside a buffer.
template <bool kBuffer, class T>
std::optional<uint64_t> addressOf(const Wave& wave, const Instruction& instruction) {
  if constexpr (kBuffer) {
    const ScalarBuffer buffer(wave, instruction);
    return buffer.dword(sizeof(T) / 4 - 1) ? buffer.dword(0) : std::nullopt;
  } else {
    return scalarAddressOf(wave, instruction);
  }
}

/// Operands: data (also the destination with glc), base, offset.
template <bool kBuffer, class Atomic>
Step run(Wave& wave, const Instruction& instruction) {
  using T = typename Atomic::Type;
  Execution& execution = *wave.execution;
  execution.countMemoryOperation();
  execution.countAtomic();
  execution.memory().refresh();
  const std::optional<uint64_t> address = addressOf<kBuffer, T>(wave, instruction);
  Operand data = instruction.operands[0];
  atomic::Bits<T> old = 0;
  if (address) {
    if (*address % sizeof(T) != 0) {
      return unalignedAtomic(wave, instruction, 0, *address);
    }
    std::byte* host = execution.memory().at(*address, sizeof(T), true);
    if (host == nullptr) {
      return execution.fail(wave, instruction, Fault::Kind::MemoryViolation,
                            "scalar atomic on memory that is not mapped or not writable", *address,
                            true);
    }
    old = Atomic::apply(reinterpret_cast<atomic::Bits<T>*>(host), wave, data.index);
  }
  if (instruction.glc) {
    writeScalar<atomic::Bits<T>>(wave, data, old);
  }
  return Step::Continue;
}

template <bool kBuffer, class Atomic>
constexpr Opcode row(std::string_view mnemonic) {
  return {mnemonic,
          run<kBuffer, Atomic>,
          {{{Role::Definition, ValueType::Wide},
            {Role::Use, kBuffer ? ValueType::Wide : ValueType::Bits64},
            {Role::Use, ValueType::Bits32}}},
          kOffset | kCacheBits,
          nullptr};
}

// A macro because mnemonics are put together from literals.
#define GPUSIM_ATOMIC(name, ...)                                                                   \
  row<false, __VA_ARGS__>("s_atomic_" name), row<true, __VA_ARGS__>("s_buffer_atomic_" name)

constexpr Opcode kOpcodes[] = {
    GPUSIM_ATOMIC("swap", Update<uint32_t, atomic::Swap>),
    GPUSIM_ATOMIC("swap_x2", Update<uint64_t, atomic::Swap>),
    GPUSIM_ATOMIC("cmpswap", CompareSwap<uint32_t>),
    GPUSIM_ATOMIC("cmpswap_x2", CompareSwap<uint64_t>),
    GPUSIM_ATOMIC("add", Update<uint32_t, atomic::Add>),
    GPUSIM_ATOMIC("add_x2", Update<uint64_t, atomic::Add>),
    GPUSIM_ATOMIC("sub", Update<uint32_t, atomic::Subtract>),
    GPUSIM_ATOMIC("sub_x2", Update<uint64_t, atomic::Subtract>),
    GPUSIM_ATOMIC("smin", Update<int32_t, atomic::Minimum>),
    GPUSIM_ATOMIC("smin_x2", Update<int64_t, atomic::Minimum>),
    GPUSIM_ATOMIC("umin", Update<uint32_t, atomic::Minimum>),
    GPUSIM_ATOMIC("umin_x2", Update<uint64_t, atomic::Minimum>),
    GPUSIM_ATOMIC("smax", Update<int32_t, atomic::Maximum>),
    GPUSIM_ATOMIC("smax_x2", Update<int64_t, atomic::Maximum>),
    GPUSIM_ATOMIC("umax", Update<uint32_t, atomic::Maximum>),
    GPUSIM_ATOMIC("umax_x2", Update<uint64_t, atomic::Maximum>),
    GPUSIM_ATOMIC("and", Update<uint32_t, atomic::And>),
    GPUSIM_ATOMIC("and_x2", Update<uint64_t, atomic::And>),
    GPUSIM_ATOMIC("or", Update<uint32_t, atomic::Or>),
    GPUSIM_ATOMIC("or_x2", Update<uint64_t, atomic::Or>),
    GPUSIM_ATOMIC("xor", Update<uint32_t, atomic::Xor>),
    GPUSIM_ATOMIC("xor_x2", Update<uint64_t, atomic::Xor>),
    GPUSIM_ATOMIC("inc", Update<uint32_t, atomic::Increment>),
    GPUSIM_ATOMIC("inc_x2", Update<uint64_t, atomic::Increment>),
    GPUSIM_ATOMIC("dec", Update<uint32_t, atomic::Decrement>),
    GPUSIM_ATOMIC("dec_x2", Update<uint64_t, atomic::Decrement>),
};

#undef GPUSIM_ATOMIC

} // namespace

Family scalarAtomicFamily() {
  return kOpcodes;
}

} // namespace gpusim
