// Atomics of the local data share. The waves of a dispatch run on one thread, so that plain
// read-modify-write is atomic here.
#include <algorithm>

#include "../atomic_operation.h"
#include "../local_memory.h"
#include "../operand_access.h"
#include "families.h"
#include "half_pair.h"

namespace gpusim {

namespace {

template <class T>
atomic::Bits<T> readBits(const Wave& wave, unsigned index, unsigned lane) {
  if constexpr (sizeof(T) == 8) {
    return wave.vgpr[index][lane] | static_cast<uint64_t>(wave.vgpr[index + 1][lane]) << 32;
  } else {
    return wave.vgpr[index][lane];
  }
}

template <class T, template <class> class Operation>
struct Update {
  using Type = T;
  static constexpr unsigned kValues = 1;
  static atomic::Bits<T> apply(atomic::Bits<T> old, atomic::Bits<T> value, atomic::Bits<T>) {
    return std::bit_cast<atomic::Bits<T>>(
        Operation<T>::apply(std::bit_cast<T>(old), std::bit_cast<T>(value)));
  }
};

/// Here the expected value comes first.
template <class T>
struct CompareSwap {
  using Type = T;
  static constexpr unsigned kValues = 2;
  static T apply(T old, T expected, T value) { return old == expected ? value : old; }
};

/// The successor of CompareSwap: the expected value comes last.
template <class T>
struct CompareStore {
  using Type = T;
  static constexpr unsigned kValues = 2;
  static T apply(T old, T value, T expected) { return old == expected ? value : old; }
};

/// Compared as numbers: zeros of both signs are equal, a NaN equals nothing.
template <class T>
struct FloatCompareSwap {
  using Type = T;
  static constexpr unsigned kValues = 2;
  static atomic::Bits<T> apply(atomic::Bits<T> old, atomic::Bits<T> expected,
                               atomic::Bits<T> value) {
    return std::bit_cast<T>(old) == std::bit_cast<T>(expected) ? value : old;
  }
};
template <class T>
struct FloatCompareStore {
  using Type = T;
  static constexpr unsigned kValues = 2;
  static atomic::Bits<T> apply(atomic::Bits<T> old, atomic::Bits<T> value,
                               atomic::Bits<T> expected) {
    return FloatCompareSwap<T>::apply(old, expected, value);
  }
};

/// Subtracts the first value, or adds the second where that would go below zero.
struct Wrap {
  using Type = uint32_t;
  static constexpr unsigned kValues = 2;
  static uint32_t apply(uint32_t old, uint32_t first, uint32_t second) {
    return old >= first ? old - first : old + second;
  }
};

/// Stores the words of the pair whose highest bit is set, without that bit.
struct ConditionalExchange {
  using Type = uint64_t;
  static constexpr unsigned kValues = 1;
  static uint64_t apply(uint64_t old, uint64_t value, uint64_t) {
    uint64_t updated = old;
    for (unsigned shift = 0; shift < 64; shift += 32) {
      if ((value >> shift >> 31 & 1) != 0) {
        const uint64_t word = uint64_t{0xffffffff} << shift;
        updated = (updated & ~word) | (value & (word ^ uint64_t{0x80000000} << shift));
      }
    }
    return updated;
  }
};

template <class T>
struct MaskOr {
  using Type = T;
  static constexpr unsigned kValues = 2;
  static T apply(T old, T mask, T value) { return (old & ~mask) | value; }
};

/// Operands: destination if `kReturns`, address, one or two values.
template <bool kReturns, class Atomic>
Step run(Wave& wave, const Instruction& instruction) {
  using T = typename Atomic::Type;
  using Bits = atomic::Bits<T>;
  constexpr unsigned kFirst = kReturns ? 1 : 0;
  wave.execution->countMemoryOperation();
  wave.execution->countAtomic();
  LocalMemory local(wave);
  LaneBuffer<T> old;
  const uint32_t* base = wave.vgpr[instruction.operands[kFirst].index];
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    const uint32_t address = base[lane] + static_cast<uint32_t>(instruction.offset);
    std::byte* word = address % sizeof(T) == 0 ? local.at(address, sizeof(T)) : nullptr;
    if (word == nullptr) {
      return local.violation(wave, instruction, lane, address, true);
    }
    const auto first = readBits<T>(wave, instruction.operands[kFirst + 1].index, lane);
    Bits second = 0;
    if constexpr (Atomic::kValues == 2) {
      second = readBits<T>(wave, instruction.operands[kFirst + 2].index, lane);
    }
    Bits previous = 0;
    std::memcpy(&previous, word, sizeof previous);
    const Bits updated = Atomic::apply(previous, first, second);
    std::memcpy(word, &updated, sizeof updated);
    old.value[lane] = previous;
  }
  if constexpr (kReturns) {
    writeLanes<T>(wave, instruction.operands[0], old);
  }
  return Step::Continue;
}

/// Exchanges two words whose offsets count in units of `kUnit` bytes. Operands: destination,
/// address, first value, second value.
template <class T, unsigned kUnit>
Step exchangePair(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  wave.execution->countAtomic();
  LocalMemory local(wave);
  LaneBuffer<T> old[2];
  const uint32_t* base = wave.vgpr[instruction.operands[1].index];
  const uint32_t offsets[2] = {instruction.offset0 * kUnit, instruction.offset1 * kUnit};
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    for (unsigned element = 0; element < 2; ++element) {
      const uint32_t address = base[lane] + offsets[element];
      std::byte* word = address % sizeof(T) == 0 ? local.at(address, sizeof(T)) : nullptr;
      if (word == nullptr) {
        return local.violation(wave, instruction, lane, address, true);
      }
      const T value = readBits<T>(wave, instruction.operands[2 + element].index, lane);
      std::memcpy(&old[element].value[lane], word, sizeof(T));
      std::memcpy(word, &value, sizeof(T));
    }
  }
  Operand destination = instruction.operands[0];
  for (const LaneBuffer<T>& element : old) {
    writeLanes<T>(wave, destination, element);
    destination.index = static_cast<uint16_t>(destination.index + sizeof(T) / 4);
  }
  return Step::Continue;
}

/// Counts the active lanes in or out of a word at M0 and gives all of them the old count. Operand:
/// destination.
template <bool kAdds>
Step countLanes(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  wave.execution->countAtomic();
  LocalMemory local(wave);
  const uint64_t exec = wave.exec();
  const uint32_t address =
      (wave.sgpr[scalar::kM0] & 0xffff) + static_cast<uint32_t>(instruction.offset);
  std::byte* word = address % 4 == 0 ? local.at(address, 4) : nullptr;
  if (word == nullptr) {
    return local.violation(wave, instruction, 0, address, true);
  }
  uint32_t old = 0;
  std::memcpy(&old, word, sizeof old);
  const auto lanes = static_cast<uint32_t>(__builtin_popcountll(exec));
  const uint32_t updated = kAdds ? old + lanes : old - lanes;
  std::memcpy(word, &updated, sizeof updated);
  LaneBuffer<uint32_t> result;
  std::fill_n(result.value, kLanes, old);
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// Unlike memory, the local data share follows the wave's denormal mode.
template <bool kReturns>
Step addSingle(Wave& wave, const Instruction& instruction) {
  const bool keepsDenormals = (wave.mode & mode::kDenormal32) == mode::kDenormal32;
  return keepsDenormals ? run<kReturns, Update<float, atomic::ExactFloatAdd>>(wave, instruction)
                        : run<kReturns, Update<float, atomic::FloatAdd>>(wave, instruction);
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Wide};
constexpr OperandSpec kIn{Role::Use, ValueType::Wide};

template <bool kReturns, class Atomic>
constexpr Opcode row(std::string_view mnemonic) {
  Opcode opcode{mnemonic, run<kReturns, Atomic>, {}, kOffset, nullptr};
  unsigned next = 0;
  if constexpr (kReturns) {
    opcode.operands[next++] = kOut;
  }
  for (unsigned value = 0; value < 1 + Atomic::kValues; ++value) {
    opcode.operands[next++] = kIn;
  }
  return opcode;
}

// A macro because mnemonics are put together from literals.
#define GPUSIM_ATOMIC(name, suffix, ...)                                                           \
  row<false, __VA_ARGS__>("ds_" name "_" suffix), row<true, __VA_ARGS__>("ds_" name "_rtn"         \
                                                                         "_" suffix)

constexpr Opcode kOpcodes[] = {
    GPUSIM_ATOMIC("add", "u32", Update<uint32_t, atomic::Add>),
    GPUSIM_ATOMIC("add", "u64", Update<uint64_t, atomic::Add>),
    GPUSIM_ATOMIC("sub", "u32", Update<uint32_t, atomic::Subtract>),
    GPUSIM_ATOMIC("sub", "u64", Update<uint64_t, atomic::Subtract>),
    GPUSIM_ATOMIC("rsub", "u32", Update<uint32_t, atomic::ReverseSubtract>),
    GPUSIM_ATOMIC("rsub", "u64", Update<uint64_t, atomic::ReverseSubtract>),
    GPUSIM_ATOMIC("inc", "u32", Update<uint32_t, atomic::Increment>),
    GPUSIM_ATOMIC("inc", "u64", Update<uint64_t, atomic::Increment>),
    GPUSIM_ATOMIC("dec", "u32", Update<uint32_t, atomic::Decrement>),
    GPUSIM_ATOMIC("dec", "u64", Update<uint64_t, atomic::Decrement>),
    GPUSIM_ATOMIC("min", "i32", Update<int32_t, atomic::Minimum>),
    GPUSIM_ATOMIC("min", "i64", Update<int64_t, atomic::Minimum>),
    GPUSIM_ATOMIC("min", "u32", Update<uint32_t, atomic::Minimum>),
    GPUSIM_ATOMIC("min", "u64", Update<uint64_t, atomic::Minimum>),
    GPUSIM_ATOMIC("max", "i32", Update<int32_t, atomic::Maximum>),
    GPUSIM_ATOMIC("max", "i64", Update<int64_t, atomic::Maximum>),
    GPUSIM_ATOMIC("max", "u32", Update<uint32_t, atomic::Maximum>),
    GPUSIM_ATOMIC("max", "u64", Update<uint64_t, atomic::Maximum>),
    GPUSIM_ATOMIC("and", "b32", Update<uint32_t, atomic::And>),
    GPUSIM_ATOMIC("and", "b64", Update<uint64_t, atomic::And>),
    GPUSIM_ATOMIC("or", "b32", Update<uint32_t, atomic::Or>),
    GPUSIM_ATOMIC("or", "b64", Update<uint64_t, atomic::Or>),
    GPUSIM_ATOMIC("xor", "b32", Update<uint32_t, atomic::Xor>),
    GPUSIM_ATOMIC("xor", "b64", Update<uint64_t, atomic::Xor>),
    GPUSIM_ATOMIC("mskor", "b32", MaskOr<uint32_t>),
    GPUSIM_ATOMIC("mskor", "b64", MaskOr<uint64_t>),
    GPUSIM_ATOMIC("cmpstore", "b32", CompareStore<uint32_t>),
    GPUSIM_ATOMIC("cmpstore", "b64", CompareStore<uint64_t>),
    GPUSIM_ATOMIC("cmpst", "b32", CompareSwap<uint32_t>),
    GPUSIM_ATOMIC("cmpst", "b64", CompareSwap<uint64_t>),
    row<true, Update<uint32_t, atomic::Swap>>("ds_wrxchg_rtn_b32"),
    row<true, Update<uint64_t, atomic::Swap>>("ds_wrxchg_rtn_b64"),
    {"ds_wrxchg2_rtn_b32",
     exchangePair<uint32_t, 4>,
     {{kOut, kIn, kIn, kIn}},
     kOffsetPair,
     nullptr},
    {"ds_wrxchg2_rtn_b64",
     exchangePair<uint64_t, 8>,
     {{kOut, kIn, kIn, kIn}},
     kOffsetPair,
     nullptr},
    {"ds_wrxchg2st64_rtn_b32",
     exchangePair<uint32_t, 256>,
     {{kOut, kIn, kIn, kIn}},
     kOffsetPair,
     nullptr},
    {"ds_wrxchg2st64_rtn_b64",
     exchangePair<uint64_t, 512>,
     {{kOut, kIn, kIn, kIn}},
     kOffsetPair,
     nullptr},
    GPUSIM_ATOMIC("cmpst", "f32", FloatCompareSwap<float>),
    GPUSIM_ATOMIC("cmpst", "f64", FloatCompareSwap<double>),
    GPUSIM_ATOMIC("cmpstore", "f32", FloatCompareStore<float>),
    GPUSIM_ATOMIC("cmpstore", "f64", FloatCompareStore<double>),
    row<true, Wrap>("ds_wrap_rtn_b32"),
    row<true, ConditionalExchange>("ds_condxchg32_rtn_b64"),
    GPUSIM_ATOMIC("pk_add", "f16", Update<uint32_t, atomic::AddHalves>),
    GPUSIM_ATOMIC("pk_add", "bf16", Update<uint32_t, atomic::AddBrainFloats>),
    {"ds_append", countLanes<true>, {{kOut}}, kOffset, nullptr},
    {"ds_consume", countLanes<false>, {{kOut}}, kOffset, nullptr},
    {"ds_add_f32", addSingle<false>, {{kIn, kIn}}, kOffset, nullptr},
    {"ds_add_rtn_f32", addSingle<true>, {{kOut, kIn, kIn}}, kOffset, nullptr},
    GPUSIM_ATOMIC("add", "f64", Update<double, atomic::FloatAdd>),
    GPUSIM_ATOMIC("min", "f64", Update<double, atomic::FloatMinimum>),
    GPUSIM_ATOMIC("max", "f64", Update<double, atomic::FloatMaximum>),
    GPUSIM_ATOMIC("min", "f32", Update<float, atomic::FloatMinimum>),
    GPUSIM_ATOMIC("max", "f32", Update<float, atomic::FloatMaximum>),
};

#undef GPUSIM_ATOMIC

} // namespace

Family dataShareAtomicFamily() {
  return kOpcodes;
}

} // namespace gpusim
