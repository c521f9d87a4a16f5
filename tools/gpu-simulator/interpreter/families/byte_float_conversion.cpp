// Conversions between singles and eight-bit floats: those of gfx942, and those of its successors
// under the same mnemonics.
#include "../vector_operation.h"
#include "families.h"
#include "fnuz_float.h"
#include "small_float.h"

namespace gpusim {

namespace {

template <class Format>
float widen(uint32_t byte) {
  return Format::widen(byte);
}

/// Two bytes to two registers.
template <class Format>
uint64_t widenPair(uint32_t bytes) {
  return toBits(Format::widen(bytes)) | static_cast<uint64_t>(toBits(Format::widen(bytes >> 8)))
                                            << 32;
}

template <class Format, bool kSaturates>
uint16_t roundPair(float low, float high) {
  return static_cast<uint16_t>(Format::round(low, kSaturates) | Format::round(high, kSaturates)
                                                                    << 8);
}

template <class Format>
Step roundPairs(Wave& wave, const Instruction& instruction) {
  return (wave.mode & mode::kFp16Overflow) != 0
             ? LaneOperation<roundPair<Format, true>>::run(wave, instruction)
             : LaneOperation<roundPair<Format, false>>::run(wave, instruction);
}

template <class Format>
constexpr Opcode roundOpcode(std::string_view mnemonic) {
  Opcode opcode = laneOpcode<roundPair<Format, false>>(mnemonic, kSigns | kOpSel);
  opcode.run = roundPairs<Format>;
  return opcode;
}

template <class Fp8, class Bf8>
inline constexpr Opcode kOpcodes[] = {
    laneOpcode<widen<Fp8>>("v_cvt_f32_fp8"),        laneOpcode<widen<Bf8>>("v_cvt_f32_bf8"),
    laneOpcode<widenPair<Fp8>>("v_cvt_pk_f32_fp8"), laneOpcode<widenPair<Bf8>>("v_cvt_pk_f32_bf8"),
    roundOpcode<Fp8>("v_cvt_pk_fp8_f32"),           roundOpcode<Bf8>("v_cvt_pk_bf8_f32"),
};

} // namespace

Family fnuzConversionFamily() {
  return kOpcodes<FnuzFloat<3>, FnuzFloat<2>>;
}

Family ocpConversionFamily() {
  return kOpcodes<OcpFp8, OcpBf8>;
}

} // namespace gpusim
