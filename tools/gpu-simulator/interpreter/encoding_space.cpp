#include "encoding_space.h"

namespace gpusim {

namespace {

/// The upper half of a leading dword: it holds the encoding family and, in most families, the
/// opcode. Families keep their prefixes in all generations.
class LeadingHalf {
public:
  explicit LeadingHalf(uint32_t bits) : bits_(bits) {}

  bool isVop1() const { return bits_ >> 9 == 0x3f; }
  bool isVopc() const { return bits_ >> 9 == 0x3e; }
  bool isVop2() const { return bits_ >> 15 == 0 && !isVop1() && !isVopc(); }
  bool isSop1() const { return bits_ >> 7 == 0x17d; }
  bool isFlat() const { return bits_ >> 10 == 0x37; }
  bool isTypedBuffer() const { return bits_ >> 10 == 0x3a; }
  bool isMatrixScale() const { return bits_ == 0xd3ac; }

  /// Whether only register numbers tell this half from one that was visited before.
  bool repeatsAnother() const {
    if (isVop1() || isVop2()) {
      return (bits_ & 0x1ff) >= 2; // an odd register may be needed, or an even one
    }
    return isSop1() && (bits_ & 0x7f) != 0;
  }

private:
  uint32_t bits_;
};

/// Second dwords: scalar registers, vector registers in one source and in three, a nonzero
/// resource.
constexpr uint32_t kScalars = 0;
constexpr uint32_t kSecondDwords[] = {kScalars, 0x00000100, 0x04020100, 0x00800001};
/// VOP3P with vector registers and the upper halves for the upper results, as it is by default.
constexpr uint32_t kPackedFirst = 0x4000;
constexpr uint32_t kPackedSecond = 0x1c020100;
/// FLAT without scalar address: `off` is 127, since gfx10 125, since gfx11 124.
constexpr uint32_t kScalarNulls[] = {0x007f0000, 0x007d0000, 0x007c0000};

class Visitor {
public:
  explicit Visitor(const std::function<void(const EncodedInstruction&)>& visit) : visit_(visit) {}

  void visitHalf(uint32_t bits) {
    const LeadingHalf half(bits);
    if (half.repeatsAnother()) {
      return;
    }
    const uint32_t leading = bits << 16;
    for (const uint32_t second : kSecondDwords) {
      give(leading, second);
    }
    give(leading | 1, kSecondDwords[3]);
    give(leading | kPackedFirst, kPackedSecond);
    if (half.isVop1() || half.isSop1()) {
      visitLowOpcodes(leading);
    }
    if (half.isVop1() || half.isVop2() || half.isVopc()) {
      visitForms(leading, half.isVop1());
    }
    if (half.isFlat()) {
      visitSegments(leading);
    }
    if (half.isMatrixScale()) {
      visitScaledMatrices(leading);
    }
    if (half.isTypedBuffer()) {
      visitTypedBuffer(leading);
    }
  }

private:
  void give(uint32_t first, uint32_t second) { visit_({first, second, 0, 0, 0}); }

  /// VOP1 and SOP1 have their opcode below bit 16.
  void visitLowOpcodes(uint32_t leading) {
    for (uint32_t opcode = 0; opcode < 256; ++opcode) {
      give(leading | opcode << 8, kScalars);
    }
  }

  /// SDWA and DPP are chosen by the first source.
  void visitForms(uint32_t leading, bool lowOpcodes) {
    constexpr uint32_t kSubDword = 0xf9;
    constexpr uint32_t kDataParallel = 0xfa;
    for (uint32_t opcode = 0; opcode < (lowOpcodes ? 256u : 1u); opcode += 2) {
      give(leading | opcode << 8 | kSubDword, 0x06060600);
      give(leading | opcode << 8 | kDataParallel, 0xff011100);
    }
  }

  /// The scales of matrices and the product that takes them are one instruction of four dwords.
  void visitScaledMatrices(uint32_t leading) {
    constexpr uint32_t kScales = 0x00020100;
    for (const uint32_t product : {0xd3ad0800, 0xd3ae0800}) {
      visit_({leading, kScales, product, kSecondDwords[2], 0});
    }
  }

  /// One bit of the opcode is bit 15, or since gfx10 bit 21 of the second dword.
  void visitTypedBuffer(uint32_t leading) {
    give(leading | 0x8000, kScalars);
    give(leading, 0x00200000);
  }

  /// flat_, scratch_ and global_ differ in two bits.
  void visitSegments(uint32_t leading) {
    for (uint32_t segment = 0; segment < 4; ++segment) {
      give(leading | segment << 14, kScalars);
      for (const uint32_t null : kScalarNulls) {
        give(leading | segment << 14, null);
      }
    }
  }

  const std::function<void(const EncodedInstruction&)>& visit_;
};

} // namespace

void forEachEncoding(const std::function<void(const EncodedInstruction&)>& visit) {
  Visitor visitor(visit);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    visitor.visitHalf(bits);
  }
}

} // namespace gpusim
