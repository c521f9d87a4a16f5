// Conversions between floating-point formats, integers and packed pairs.
#include <algorithm>
#include <limits>

#include "../vector_operation.h"
#include "families.h"
#include "float_functions.h"
#include "float_operation.h"
#include "half_pair.h"
#include "packed_operand.h"

namespace gpusim {

namespace {

/// Truncated and saturated; NaN is 0. The limits are exact in double.
template <class Integer>
Integer saturated(double value) {
  constexpr auto kLow = static_cast<double>(std::numeric_limits<Integer>::min());
  constexpr auto kHigh = static_cast<double>(std::numeric_limits<Integer>::max());
  const double number = value == value ? value : 0.0;
  const double limited = number < kLow ? kLow : number > kHigh ? kHigh : number;
  return static_cast<Integer>(limited);
}

/// In single precision: this one is hot, and vectorises without wider lanes.
int32_t toInt32(float value) {
  const float number = value == value ? value : 0.0f;
  const float limited = number < -0x1p31f ? -0x1p31f : number > 0x1.fffffep30f ? 0.0f : number;
  return number > 0x1.fffffep30f ? 0x7fffffff : static_cast<int32_t>(limited);
}
uint32_t toUint32(float value) {
  return saturated<uint32_t>(value);
}
template <class Integer, class T>
Integer toInteger(T value) {
  return saturated<Integer>(value);
}
int32_t toNearestPlusInfinity(float value) {
  return saturated<int32_t>(roundedDown(static_cast<double>(value) + 0.5));
}
int32_t toInt32Down(float value) {
  return toInt32(roundedDown(value));
}

template <class T, class Integer>
T fromInteger(Integer value) {
  return static_cast<T>(value);
}
/// Through double, where it is exact: single instructions of the host convert signed words only.
float fromUint32(uint32_t value) {
  return static_cast<float>(static_cast<double>(value));
}
template <unsigned kByte>
float fromByte(uint32_t value) {
  return static_cast<float>(static_cast<int32_t>(value >> 8 * kByte & 0xff));
}
/// A signed nibble in sixteenths.
float fromNibble(uint32_t value) {
  return static_cast<float>(static_cast<int32_t>(value << 28) >> 28) * 0.0625f;
}

float narrow(double value) {
  return static_cast<float>(value);
}
double widenSingle(float value) {
  return static_cast<double>(value);
}

/// Normalised integers round to nearest, in whatever mode.
template <class Integer>
Integer normalised(float value) {
  constexpr double kScale = std::numeric_limits<Integer>::max();
  constexpr double kLow = std::is_signed_v<Integer> ? -1.0 : 0.0;
  const double number = value == value ? static_cast<double>(value) : 0.0;
  return static_cast<Integer>(roundedToNearest(std::clamp(number, kLow, 1.0) * kScale));
}

uint32_t pair(uint32_t low, uint32_t high) {
  return (low & 0xffff) | high << 16;
}
template <class Integer>
uint32_t normalisedPair(float low, float high) {
  return pair(static_cast<uint16_t>(normalised<Integer>(low)),
              static_cast<uint16_t>(normalised<Integer>(high)));
}
uint32_t halfPairTowardZero(float low, float high) {
  return pair(roundToHalf(quieted(low), Rounding::TowardZero, false).bits,
              roundToHalf(quieted(high), Rounding::TowardZero, false).bits);
}
template <class Integer>
uint32_t integerPair(float low, float high) {
  return pair(static_cast<uint16_t>(saturated<Integer>(low)),
              static_cast<uint16_t>(saturated<Integer>(high)));
}
uint32_t unsignedPair(uint32_t low, uint32_t high) {
  return pair(std::min(low, 0xffffu), std::min(high, 0xffffu));
}
uint32_t signedPair(int32_t low, int32_t high) {
  return pair(static_cast<uint32_t>(std::clamp(low, -0x8000, 0x7fff)),
              static_cast<uint32_t>(std::clamp(high, -0x8000, 0x7fff)));
}
uint32_t halfPair(float low, float high) {
  return pair(roundToHalf(low, Rounding::Nearest, false).bits,
              roundToHalf(high, Rounding::Nearest, false).bits);
}

uint32_t brainFloatPair(float low, float high) {
  return pair(roundToBrainFloat(low), roundToBrainFloat(high));
}
float widenBrain(uint16_t bits) {
  return widenBrainFloat(bits);
}

/// Each rounded as MODE says.
Step roundedHalfPair(Wave& wave, const Instruction& instruction) {
  LaneBuffer<uint32_t> halves[2];
  for (unsigned part = 0; part < 2; ++part) {
    LaneBuffer<float> buffer;
    const uint32_t* singles =
        readFloatLanes<float>(wave, instruction.operands[part + 1], Denormals::Mode, buffer);
    LaneBuffer<float> quiet; // or NaNs would lose what makes them one
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      quiet.value[lane] = toBits(quieted(fromBits<float>(singles[lane])));
    }
    narrowLanes<float>(wave.mode, quiet.value, halves[part].value);
  }
  writeHalfPair(wave, instruction.operands[0], halves[0].value, halves[1].value);
  return Step::Continue;
}

uint32_t insertByte(float value, uint32_t position, uint32_t old) {
  const unsigned shift = 8 * (position & 3);
  return (old & ~(0xffu << shift)) | static_cast<uint32_t>(saturated<uint8_t>(value)) << shift;
}

constexpr FloatRules kFromHalf{.halfArguments = true};
constexpr FloatRules kToHalf{.halfResult = true};
constexpr FloatRules kHalfPair{.halfArguments = true, .selectsSources = true};
constexpr FloatRules kAccumulates{.accumulates = true};

constexpr OperandSpec kSingle{Role::Use, ValueType::Float32};

constexpr Opcode fromBrainFloat(std::string_view mnemonic) {
  Opcode opcode = laneOpcode<widenBrain>(mnemonic);
  opcode.operands[1].type = ValueType::BrainFloat16;
  return opcode;
}

constexpr Opcode kOpcodes[] = {
    floatOpcode<toInt32>("v_cvt_i32_f32"),
    floatOpcode<toUint32>("v_cvt_u32_f32"),
    floatOpcode<toInteger<int32_t, double>>("v_cvt_i32_f64"),
    floatOpcode<toInteger<uint32_t, double>>("v_cvt_u32_f64"),
    floatOpcode<toInteger<int16_t, float>, kFromHalf>("v_cvt_i16_f16"),
    floatOpcode<toInteger<uint16_t, float>, kFromHalf>("v_cvt_u16_f16"),
    floatOpcode<toNearestPlusInfinity>("v_cvt_rpi_i32_f32"),
    floatOpcode<toInt32Down>("v_cvt_flr_i32_f32"),

    floatOpcode<fromInteger<float, int32_t>>("v_cvt_f32_i32"),
    floatOpcode<fromUint32>("v_cvt_f32_u32"),
    floatOpcode<fromInteger<double, int32_t>>("v_cvt_f64_i32"),
    floatOpcode<fromInteger<double, uint32_t>>("v_cvt_f64_u32"),
    floatOpcode<fromInteger<float, int16_t>, kToHalf>("v_cvt_f16_i16"),
    floatOpcode<fromInteger<float, uint16_t>, kToHalf>("v_cvt_f16_u16"),
    floatOpcode<fromByte<0>>("v_cvt_f32_ubyte0"),
    floatOpcode<fromByte<1>>("v_cvt_f32_ubyte1"),
    floatOpcode<fromByte<2>>("v_cvt_f32_ubyte2"),
    floatOpcode<fromByte<3>>("v_cvt_f32_ubyte3"),
    floatOpcode<fromNibble>("v_cvt_off_f32_i4"),

    floatOpcode<narrow>("v_cvt_f32_f64"),
    floatOpcode<widenSingle>("v_cvt_f64_f32"),
    floatOpcode<quieted<float>, kToHalf>("v_cvt_f16_f32"),
    floatOpcode<quieted<float>, kFromHalf>("v_cvt_f32_f16"),

    floatOpcode<normalised<int16_t>, kFromHalf>("v_cvt_norm_i16_f16"),
    floatOpcode<normalised<uint16_t>, kFromHalf>("v_cvt_norm_u16_f16"),
    floatOpcode<normalisedPair<int16_t>>("v_cvt_pknorm_i16_f32"),
    floatOpcode<normalisedPair<uint16_t>>("v_cvt_pknorm_u16_f32"),
    floatOpcode<normalisedPair<int16_t>, kHalfPair>("v_cvt_pknorm_i16_f16"),
    floatOpcode<normalisedPair<uint16_t>, kHalfPair>("v_cvt_pknorm_u16_f16"),
    floatOpcode<halfPairTowardZero>("v_cvt_pkrtz_f16_f32"),
    floatOpcode<halfPair, kHalfPair>("v_pack_b32_f16"),
    floatOpcode<integerPair<int16_t>>("v_cvt_pk_i16_f32"),
    floatOpcode<integerPair<uint16_t>>("v_cvt_pk_u16_f32"),
    floatOpcode<unsignedPair>("v_cvt_pk_u16_u32"),
    floatOpcode<signedPair>("v_cvt_pk_i16_i32"),
    floatOpcode<brainFloatPair>("v_cvt_pk_bf16_f32"),
    {"v_cvt_pk_f16_f32",
     roundedHalfPair,
     {{{Role::Definition, ValueType::Bits32}, kSingle, kSingle}},
     kSigns,
     nullptr},
    fromBrainFloat("v_cvt_f32_bf16"),
    floatOpcode<insertByte>("v_cvt_pk_u8_f32"),
    floatOpcode<insertByte, kAccumulates>("v_cvt_pkaccum_u8_f32"),
};

} // namespace

Family vectorConversionFamily() {
  return kOpcodes;
}

} // namespace gpusim
