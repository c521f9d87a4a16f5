// Conversions between singles and the eight-bit floats of gfx942.
#include "../vector_operation.h"
#include "families.h"
#include "fnuz_float.h"

namespace gpusim {

namespace {

template <unsigned kMantissaBits>
float widen(uint32_t byte) {
  return FnuzFloat<kMantissaBits>::widen(byte);
}

/// Two bytes to two registers.
template <unsigned kMantissaBits>
uint64_t widenPair(uint32_t bytes) {
  return toBits(widen<kMantissaBits>(bytes)) |
         static_cast<uint64_t>(toBits(widen<kMantissaBits>(bytes >> 8))) << 32;
}

template <unsigned kMantissaBits, bool kSaturates>
uint16_t roundPair(float low, float high) {
  using Format = FnuzFloat<kMantissaBits>;
  return static_cast<uint16_t>(Format::round(low, kSaturates) | Format::round(high, kSaturates)
                                                                    << 8);
}

template <unsigned kMantissaBits>
Step roundPairs(Wave& wave, const Instruction& instruction) {
  return (wave.mode & mode::kFp16Overflow) != 0
             ? LaneOperation<roundPair<kMantissaBits, true>>::run(wave, instruction)
             : LaneOperation<roundPair<kMantissaBits, false>>::run(wave, instruction);
}

template <unsigned kMantissaBits>
constexpr Opcode roundOpcode(std::string_view mnemonic) {
  Opcode opcode = laneOpcode<roundPair<kMantissaBits, false>>(mnemonic, kSigns | kOpSel);
  opcode.run = roundPairs<kMantissaBits>;
  return opcode;
}

constexpr Opcode kOpcodes[] = {
    laneOpcode<widen<3>>("v_cvt_f32_fp8"),        laneOpcode<widen<2>>("v_cvt_f32_bf8"),
    laneOpcode<widenPair<3>>("v_cvt_pk_f32_fp8"), laneOpcode<widenPair<2>>("v_cvt_pk_f32_bf8"),
    roundOpcode<3>("v_cvt_pk_fp8_f32"),           roundOpcode<2>("v_cvt_pk_bf8_f32"),
};

} // namespace

Family fnuzConversionFamily() {
  return kOpcodes;
}

} // namespace gpusim
