// Atomics of the local data share. The waves of a dispatch run on one thread, so that plain
// read-modify-write is atomic here.
#include <algorithm>

#include "../atomic_operation.h"
#include "../local_memory.h"
#include "../operand_access.h"
#include "families.h"

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
