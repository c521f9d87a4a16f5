// Work-item functions compiled twice: by clang for the GPU, where the interpreter runs them, and by
// the host compiler for the expected results.
#pragma once

#if defined(__HIP__)
#define WORK_ITEM __attribute__((device))
#define NOT_INLINED __attribute__((device, noinline))
#else
#define WORK_ITEM
#define NOT_INLINED
#endif

using Word = unsigned int;
using Wide = unsigned long long;

/// Scrambles with shifts, multiplications and data-dependent loops and branches.
WORK_ITEM inline Word scramble(Word value) {
  Word rounds = value % 7 + 1;
  while (rounds-- != 0) {
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
    if ((value & 0x10) != 0) {
      value = value * 2654435761u + rounds;
    } else {
      value = (value << 7 | value >> 25) - 0x9e3779b9u;
    }
  }
  return value;
}

/// 64-bit arithmetic with carries, signed and unsigned shifts, multiplication and comparison.
WORK_ITEM inline Wide wideArithmetic(Word id) {
  const Wide a = static_cast<Wide>(scramble(id)) << 32 | scramble(id + 1);
  const Wide b = static_cast<Wide>(scramble(id + 2)) << 20 ^ scramble(id + 3);
  Wide result = a * b + (a >> (b & 63)) - (b << (a & 63));
  result ^= static_cast<Wide>(static_cast<long long>(a) >> (id & 63));
  if (a > b) {
    result += a - b;
  }
  if (static_cast<long long>(a) < static_cast<long long>(b)) {
    result = ~result;
  }
  return result;
}

/// Division and remainder, for which the compiler goes through floating point.
WORK_ITEM inline Wide divisions(Word id) {
  const Word a = scramble(id);
  const Word b = scramble(id + 7) >> (id % 31) | 1;
  const int signedA = static_cast<int>(a);
  const int signedB = static_cast<int>(b >> 1) + 1;
  const Wide wideA = wideArithmetic(id);
  const Wide wideB = wideArithmetic(id + 1) >> (id % 60) | 1;
  return a / b + a % b + static_cast<Wide>(static_cast<long long>(signedA / signedB)) +
         static_cast<Wide>(static_cast<long long>(signedA % signedB)) + wideA / wideB +
         wideA % wideB;
}

/// Bit counting, byte and halfword work.
WORK_ITEM inline Word bitTricks(Word id) {
  const Word value = scramble(id);
  Word result = static_cast<Word>(__builtin_popcount(value));
  result += static_cast<Word>(__builtin_clz(value | 1)) << 8;
  result += static_cast<Word>(__builtin_ctz(value | 0x80000000u)) << 16;
  result ^= __builtin_bswap32(value);
  const auto narrow = static_cast<unsigned short>(value);
  const auto byte = static_cast<signed char>(value >> 9);
  result += static_cast<unsigned short>(narrow * narrow + (narrow >> 3));
  result -= static_cast<Word>(static_cast<int>(byte) * static_cast<short>(value >> 16));
  const int low = static_cast<int>(value % 1000) - 500;
  result += static_cast<Word>(low < -100 ? -100 : low > 100 ? 100 : low);
  return result;
}

/// A private array that is indexed dynamically lives in scratch memory.
WORK_ITEM inline Word scratchArray(Word id) {
  Word array[24];
  for (Word index = 0; index < 24; ++index) {
    array[index] = scramble(id + index);
  }
  for (Word index = 0; index < 24; ++index) {
    const Word other = array[index] % 24;
    const Word held = array[other];
    array[other] = array[index] + index;
    array[index] = held;
  }
  Word sum = 0;
  for (Word index = 0; index < 24; ++index) {
    sum = sum * 31 + array[index];
  }
  return sum;
}

/// Really recursive: calls, a stack and its frame registers.
NOT_INLINED inline Word ackermann(Word m, Word n) {
  if (m == 0) {
    return n + 1;
  }
  if (n == 0) {
    return ackermann(m - 1, 1);
  }
  return ackermann(m - 1, ackermann(m, n - 1));
}
