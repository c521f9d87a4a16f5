// Floating-point results worked out on bit patterns and exact numbers, not by the host's
// instructions in the format under test; and a driver that compares instructions with them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace gpusim::test {

__extension__ using Quad = __float128;

struct FloatFormat {
  unsigned bits;
  unsigned mantissa; ///< stored bits

  uint64_t sign() const { return uint64_t{1} << (bits - 1); }
  uint64_t fraction() const { return (uint64_t{1} << mantissa) - 1; }
  uint64_t infinity() const { return (sign() - 1) & ~fraction(); }
  uint64_t quiet() const { return uint64_t{1} << (mantissa - 1); }
  uint64_t defaultNan() const { return sign() | infinity() | quiet(); }
  int bias() const { return (1 << (bits - mantissa - 2)) - 1; }
  bool isNan(uint64_t value) const { return (value & (sign() - 1)) > infinity(); }
  bool isSignalling(uint64_t value) const { return isNan(value) && (value & quiet()) == 0; }
  bool isDenormal(uint64_t value) const {
    return (value & infinity()) == 0 && (value & fraction()) != 0;
  }
};

inline constexpr FloatFormat kHalf{16, 10};
inline constexpr FloatFormat kSingle{32, 23};
inline constexpr FloatFormat kDouble{64, 52};

enum class Round { Nearest, Up, Down, Zero };

struct FloatMode {
  Round round = Round::Nearest;
  bool denormals = true; ///< on input and output
  bool ieee = true;
  bool dx10Clamp = true;
};

/// A number between whose parts lies no representable one: the sum of both is meant.
struct ExactNumber {
  Quad value;
  Quad error = 0;
};

Quad decode(uint64_t bits, const FloatFormat& format);
uint64_t encode(ExactNumber number, const FloatFormat& format, Round round);

ExactNumber exactSum(Quad a, Quad b, Round round);

/// A denormal becomes a zero of its sign where the mode says so.
uint64_t flush(uint64_t bits, const FloatFormat& format, const FloatMode& mode);

/// What an instruction should return for source bits (flushed and with signs applied).
using Sources = std::array<uint64_t, 3>;
using Reference =
    std::function<uint64_t(const Sources&, const FloatFormat& format, const FloatMode& mode)>;

/// The first NaN source, quiet; otherwise the rounded exact result.
Reference rounded(unsigned sources,
                  std::function<ExactNumber(const std::array<Quad, 3>&, Round)> exact);

/// Something for every corner: zeros, denormals, ties, large values, infinities, NaNs, noise.
uint64_t interestingBits(const FloatFormat& format, unsigned seed);

struct FloatCase {
  std::string mnemonic;
  FloatFormat format;
  unsigned sources;
  Reference reference;
  bool accumulates = false; ///< the last source is the destination
  bool signs = true;        ///< has a VOP3 form
  bool alwaysFlushes = false;
};

/// Runs the instruction plain, with source signs and with clamp, in every rounding and denormal
/// mode and under full, partial and single-lane EXEC, and compares every lane.
void checkFloatCase(const FloatCase& test);

/// Sets MODE, for both groups of formats.
std::string setMode(const FloatMode& mode);

/// `v4` or `v[4:5]`.
std::string registerText(unsigned first, const FloatFormat& format);

} // namespace gpusim::test
