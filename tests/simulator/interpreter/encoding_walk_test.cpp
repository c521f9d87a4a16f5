// Walks every instruction of every processor: what is decoded must be executed as it is printed,
// and everything else must end in an error that names it.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "flat_memory.h"
#include "interpreter/assembly_text.h"
#include "interpreter/code_page.h"
#include "interpreter/encoding_space.h"
#include "interpreter/execution.h"
#include "interpreter/instruction_survey.h"

namespace gpusim::test {
namespace {

std::span<const std::byte> bytesOf(const EncodedInstruction& encoding) {
  return std::as_bytes(std::span(encoding));
}

/// An encoding that was decoded.
struct Decoded {
  EncodedInstruction encoding{};
  std::string text;
  Instruction instruction;
  Handler handler = nullptr;
  Refusal refusal;

  Decoded(Decoder& decoder, const EncodedInstruction& bits)
      : encoding(bits), text(decoder.text(bytesOf(bits), 0)) {
    refusal = decoder.decode(bytesOf(encoding), 0, instruction, handler);
  }
  std::string mnemonic() const { return text.substr(0, text.find_first_of(" \t")); }
  bool executable() const { return !text.empty() && !refusal; }
};

/// One executable encoding of each mnemonic and form.
std::vector<Decoded> examples(Decoder& decoder) {
  std::vector<Decoded> result;
  std::set<std::string> seen;
  forEachEncoding([&](const EncodedInstruction& encoding) {
    Decoded decoded(decoder, encoding);
    if (decoded.executable() && seen.insert(decoded.mnemonic()).second) {
      result.push_back(std::move(decoded));
    }
  });
  return result;
}

EncodedInstruction flipped(EncodedInstruction encoding, unsigned bit) {
  encoding[bit / 32] ^= 1u << bit % 32;
  return encoding;
}

/// `v1.l` is `v1`: LLVM omits the half when bits are set that stand for nothing.
void dropLowHalf(std::string& word) {
  if (const size_t at = word.rfind(".l"); at != std::string::npos && at + 3 >= word.size()) {
    word.erase(at, 2);
  }
}

/// The words of a text, without cache hints: those have no effect here.
std::multiset<std::string> wordsOf(const Decoded& decoded) {
  const bool atomic = decoded.text.find("atomic") != std::string::npos;
  std::multiset<std::string> words;
  std::istringstream stream(decoded.text);
  for (std::string word; stream >> word;) {
    const bool returns = word == "glc" || word == "sc0";
    const bool hint =
        word == "slc" || word == "dlc" || word == "scc" || word == "sc1" || word == "nt";
    dropLowHalf(word);
    if (!hint && (atomic || !returns)) {
      words.insert(word);
    }
  }
  return words;
}

bool sameOperand(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.index == b.index && a.constant == b.constant && a.flags == b.flags &&
         a.registers == b.registers;
}

bool sameForm(const FormFields& a, const FormFields& b) {
  return a.dppControl == b.dppControl && a.rowMask == b.rowMask && a.bankMask == b.bankMask &&
         a.boundControl == b.boundControl && a.destinationSelect == b.destinationSelect &&
         a.destinationUnused == b.destinationUnused && a.sourceSelect[0] == b.sourceSelect[0] &&
         a.sourceSelect[1] == b.sourceSelect[1] && a.fetchInactive == b.fetchInactive &&
         a.laneSelectors == b.laneSelectors;
}

/// Whether handlers see the same, but for the encoding itself and the handler.
bool sameInstruction(const Instruction& x, const Instruction& y) {
  return x.inner == y.inner && x.opcode == y.opcode &&
         std::equal(x.operands.begin(), x.operands.end(), y.operands.begin(), sameOperand) &&
         sameForm(x.form, y.form) && x.offset == y.offset && x.offset0 == y.offset0 &&
         x.offset1 == y.offset1 && x.opSel == y.opSel && x.opSelHi == y.opSelHi &&
         x.negLo == y.negLo && x.negHi == y.negHi && x.outputScale == y.outputScale &&
         x.matrixControl == y.matrixControl && x.matrixBlock == y.matrixBlock &&
         x.bitTable == y.bitTable && x.clamp == y.clamp && x.glc == y.glc &&
         x.offsetEnable == y.offsetEnable && x.indexEnable == y.indexEnable;
}

/// The same of both operations of a dual instruction.
bool sameForHandlers(const Decoded& a, const Decoded& b) {
  const Instruction* first = a.instruction.second;
  const Instruction* second = b.instruction.second;
  const bool sameSecond =
      first == second || (first != nullptr && second != nullptr && first->run == second->run &&
                          sameInstruction(*first, *second));
  return a.handler == b.handler && sameInstruction(a.instruction, b.instruction) && sameSecond;
}

/// Handlers that take fields from the encoding, which the tests of their families cover.
bool readsEncoding(const Instruction& instruction) {
  constexpr std::string_view kMnemonics[] = {"ds_swizzle_b32",  "v_fma_mix_f32", "v_fma_mixlo_f16",
                                             "v_fma_mixhi_f16", "v_mad_mix_f32", "v_mad_mixlo_f16",
                                             "v_mad_mixhi_f16"};
  return (instruction.opcode->modifiers & kRawText) != 0 ||
         std::find(std::begin(kMnemonics), std::end(kMnemonics), instruction.opcode->mnemonic) !=
             std::end(kMnemonics);
}

/// Literals of half-precision instructions have 32 bits in the text, of which the lower 16 count.
bool isUpperHalfOfLiteral(const Decoded& decoded, unsigned bit) {
  const std::string_view mnemonic = decoded.instruction.opcode->mnemonic;
  constexpr std::string_view kMnemonics[] = {"v_madmk_f16", "v_madak_f16", "v_fmamk_f16",
                                             "v_fmaak_f16"};
  return bit >= 48 &&
         std::find(std::begin(kMnemonics), std::end(kMnemonics), mnemonic) != std::end(kMnemonics);
}

/// Of the waves that are walked: the smallest of the processor.
unsigned lanesOf(const Architecture& architecture) {
  return architecture.halfWaves ? kLanes / 2 : kLanes;
}

class EncodingWalk : public testing::TestWithParam<const char*> {
protected:
  const Architecture& architecture_ = *findArchitecture(GetParam());
  ProcessorCode code_{architecture_};
  Decoder& decoder_ = code_.forWaves(lanesOf(architecture_)).decoder();
};
INSTANTIATE_TEST_SUITE_P(Processors, EncodingWalk,
                         testing::Values("gfx906", "gfx908", "gfx90a", "gfx942", "gfx950",
                                         "gfx1030", "gfx1100"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EncodingWalk, WhatIsNotExecutedIsRefusedByItsText) {
  unsigned refused = 0;
  forEachEncoding([&](const EncodedInstruction& encoding) {
    const Decoded decoded(decoder_, encoding);
    if (decoded.executable()) {
      ASSERT_NE(decoded.handler, nullptr) << decoded.text;
      ASSERT_NE(decoded.instruction.dwords, 0) << decoded.text;
      return;
    }
    ++refused;
    ASSERT_TRUE(static_cast<bool>(decoded.refusal)) << decoded.text;
    ASSERT_NE(decoded.refusal.message.find(decoded.text), std::string::npos)
        << decoded.refusal.message;
    ASSERT_EQ(decoded.refusal.kind == Refusal::Kind::Illegal, decoded.text.empty())
        << decoded.refusal.message;
  });
  EXPECT_GT(refused, 0u);
}

/// Random bits, mostly in the encodings of three operands, which have the most forms.
EncodedInstruction randomEncoding(std::mt19937& random) {
  EncodedInstruction encoding{};
  for (uint32_t& word : encoding) {
    word = static_cast<uint32_t>(random());
  }
  if (random() % 4 == 0) {
    encoding[0] = (encoding[0] & 0x0fffffff) | 0xc0000000;
  }
  if (random() % 2 == 0) {
    encoding[1] &= static_cast<uint32_t>(random()); // fewer modifiers, more valid operands
  }
  return encoding;
}

TEST_P(EncodingWalk, RandomBitsAreExecutedOrRefusedAndKnownToTheListing) {
  constexpr unsigned kEncodings = 60000;
  const auto listing = surveyInstructions(architecture_.name);
  ASSERT_TRUE(listing.has_value());
  std::mt19937 random(20);
  unsigned executable = 0;
  for (unsigned count = 0; count < kEncodings; ++count) {
    const Decoded decoded(decoder_, randomEncoding(random));
    if (decoded.text.empty()) {
      ASSERT_EQ(decoded.refusal.kind, Refusal::Kind::Illegal);
      continue;
    }
    const auto [first, second] = splitDual(decoded.text);
    for (const std::string_view line : {first, second}) {
      const std::string mnemonic(splitAssembly(line).mnemonic);
      ASSERT_TRUE(line.empty() || listing->count(mnemonic) == 1) << decoded.text;
    }
    if (!decoded.refusal) {
      ++executable;
      ASSERT_NE(decoded.handler, nullptr) << decoded.text;
    } else {
      ASSERT_EQ(decoded.refusal.kind, Refusal::Kind::Unsupported) << decoded.text;
    }
  }
  EXPECT_GT(executable, kEncodings / 10);
}

/// Each bit of each instruction is turned over: when that changes the text, it has to change what
/// the handler sees as well, or lead to a refusal.
TEST_P(EncodingWalk, NoPrintedBitIsIgnored) {
  unsigned compared = 0;
  for (const Decoded& example : examples(decoder_)) {
    for (unsigned bit = 0; bit < 32u * example.instruction.dwords; ++bit) {
      const Decoded other(decoder_, flipped(example.encoding, bit));
      const bool sameText = wordsOf(other) == wordsOf(example);
      if (!other.executable() || sameText || readsEncoding(other.instruction) ||
          isUpperHalfOfLiteral(other, bit)) {
        continue;
      }
      ++compared;
      EXPECT_FALSE(sameForHandlers(example, other))
          << "`" << example.text << "` and `" << other.text << "` differ in bit " << bit;
    }
  }
  EXPECT_GT(compared, 1000u);
}

/// A wave outside any dispatch, for instructions that touch nothing but registers.
class LoneWave {
public:
  LoneWave(ProcessorCode& code, const Decoded& decoded)
      : execution_(dispatch(), memory_, code, Schedule{}), wave_(new Wave) {
    memory_.map(kCode, 4096);
    memory_.write(kCode, decoded.encoding);
    memory_.map(kDescriptor, 64);
    memory_.write(kDescriptor + 16, kCode - kDescriptor);
    execution_.run(0); // only makes it know its processor
    const unsigned lanes = lanesOf(code.architecture());
    page_ = code.forWaves(lanes).page(kCode, memory_);
    wave_->page = page_.get();
    wave_->execution = &execution_;
    wave_->group = &group_;
    wave_->lanes = static_cast<uint8_t>(lanes);
    wave_->laneMask = ~uint64_t{0} >> (kLanes - lanes);
  }

  /// Runs on registers that depend on `seed` alone. False: it failed.
  bool run(const Decoded& decoded, unsigned seed) {
    fill(seed);
    wave_->next = page_->slot(kCode) + decoded.instruction.dwords;
    return decoded.handler(*wave_, decoded.instruction) != Step::Faulted;
  }

  bool sameRegisters(const LoneWave& other) const {
    constexpr size_t kVisible = vector::kTemporary * sizeof(LaneWords);
    return std::memcmp(wave_->vgpr, other.wave_->vgpr, kVisible) == 0 &&
           std::memcmp(wave_->sgpr, other.wave_->sgpr, sizeof wave_->sgpr) == 0;
  }

private:
  static constexpr uint64_t kCode = 0x1000;
  static constexpr uint64_t kDescriptor = 0x2000;

  static Dispatch dispatch() {
    Dispatch dispatch;
    dispatch.packet.kernel_object = kDescriptor;
    dispatch.packet.grid_size_x = dispatch.packet.workgroup_size_x = kLanes;
    dispatch.packet.grid_size_y = dispatch.packet.workgroup_size_y = 1;
    dispatch.packet.grid_size_z = dispatch.packet.workgroup_size_z = 1;
    return dispatch;
  }

  void fill(unsigned seed) {
    std::mt19937 random(seed);
    // Numbers around 1 in one seed, anything in the next; halves alike.
    const uint32_t kept = seed % 2 == 0 ? 0x8fff8fffu : 0xffffffffu;
    const uint32_t added = seed % 2 == 0 ? 0x30003000u : 0u;
    // Some lanes have the same in all registers, limits and numbers that are equal; some have an
    // addend to which nothing can be added.
    constexpr uint32_t kSame[] = {0x7fffffff, 0xffffffff, 0x3c003c00, 0xbc00bc00, 0x3c004000};
    constexpr unsigned kFirstAddend = 24;
    for (unsigned index = 0; index < vector::kCount; ++index) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        uint32_t& word = wave_->vgpr[index][lane];
        word = (static_cast<uint32_t>(random()) & kept) | added;
        if (lane % 8 < std::size(kSame)) {
          word = kSame[lane % 8];
        } else if (lane % 8 == std::size(kSame) && index >= kFirstAddend) {
          word = 0xffffffff;
        }
      }
    }
    for (uint32_t& scalar : wave_->sgpr) {
      scalar = static_cast<uint32_t>(random());
    }
    wave_->setPair(scalar::kExec, ~uint64_t{0});
    wave_->mode = mode::kDx10Clamp | (seed % 4 < 2 ? 0 : mode::kDenormal32 | mode::kDenormal64);
    wave_->indexedOperands = 0;
  }

  FlatMemory memory_;
  Workgroup group_;
  Execution execution_;
  std::shared_ptr<const CodePage> page_;
  std::unique_ptr<Wave> wave_;
};

/// Nothing is mapped but the code: what reaches for memory has to fail.
TEST_P(EncodingWalk, RandomInstructionsRunToAStepOrAFault) {
  constexpr unsigned kInstructions = 3000;
  std::mt19937 random(21);
  std::set<unsigned> steps;
  for (unsigned count = 0; count < kInstructions;) {
    const Decoded decoded(decoder_, randomEncoding(random));
    if (decoded.executable()) {
      ++count;
      LoneWave wave(code_, decoded);
      steps.insert(wave.run(decoded, count) ? 1 : 0);
    }
  }
  EXPECT_EQ(steps.size(), 2u); // some run, some fault
}

/// Whether the two have different results from some registers.
bool resultsDiffer(ProcessorCode& code, const Decoded& a, const Decoded& b) {
  constexpr unsigned kSeeds = 12;
  LoneWave first(code, a);
  LoneWave second(code, b);
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const bool ran = first.run(a, seed);
    if (ran != second.run(b, seed) || !first.sameRegisters(second)) {
      return true;
    }
  }
  return false;
}

/// The example on registers that do not overlap, in the VOP3 encodings; null for others.
std::unique_ptr<Decoded> onDistinctRegisters(Decoder& decoder, const Decoded& example) {
  EncodedInstruction encoding = example.encoding;
  constexpr uint32_t kThreeSources[] = {0x34, 0x35, 0x33}; // gfx9; since gfx10, VOP3 and VOP3P
  if (std::find(std::begin(kThreeSources), std::end(kThreeSources), encoding[0] >> 26) ==
      std::end(kThreeSources)) {
    return nullptr;
  }
  constexpr uint32_t kSources = 0x07ffffff;
  constexpr uint32_t kDistinct = 0x108u | 0x110u << 9 | 0x118u << 18; // v8, v16, v24
  encoding[1] = (encoding[1] & ~kSources) | kDistinct;
  auto distinct = std::make_unique<Decoded>(decoder, encoding);
  return distinct->executable() && distinct->mnemonic() == example.mnemonic() ? std::move(distinct)
                                                                              : nullptr;
}

/// Only modifiers were added to the text: the operands are the same registers.
bool addsModifiers(const Decoded& example, const Decoded& other) {
  return example.instruction.opcode == other.instruction.opcode &&
         std::equal(example.instruction.operands.begin(), example.instruction.operands.end(),
                    other.instruction.operands.begin(), [](const Operand& a, const Operand& b) {
                      return a.kind == b.kind && a.index == b.index && a.constant == b.constant;
                    });
}

/// Instructions some of whose modifiers change no result: even functions, results within [0, 1],
/// sources of which only the exponent, or nothing, or one half counts, addends without halves,
/// exchanges between lanes that are all active, the bit function that is zero.
bool hasNoEffect(const Decoded& other) {
  constexpr std::string_view kPrefixes[] = {"v_cos_",
                                            "v_frexp_exp_",
                                            "v_fract_",
                                            "v_cmp_f_",
                                            "v_cmpx_f_",
                                            "v_cmp_tru_",
                                            "v_cmpx_tru_",
                                            "v_cmp_o_",
                                            "v_cmpx_o_",
                                            "v_cmp_u_",
                                            "v_cmpx_u_",
                                            "v_cubesc_",
                                            "v_cubetc_",
                                            "v_div_fixup_",
                                            "v_div_scale_",
                                            "v_permlane16_swap_",
                                            "v_permlane32_swap_",
                                            "v_bitop3_b16",
                                            "v_trig_preop_",
                                            "v_dot2_f32_",
                                            "v_dot2_i32_i16",
                                            "v_dot2_u32_u16",
                                            "v_pk_mov_b32"};
  const std::string_view mnemonic = other.instruction.opcode->mnemonic;
  // Comparisons clamp nothing: the bit asks for exceptions, which are not recorded.
  const bool clampedComparison = mnemonic.starts_with("v_cmp") && other.instruction.clamp;
  return clampedComparison ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return mnemonic.starts_with(prefix); });
}

TEST_P(EncodingWalk, ModifiersChangeResults) {
  unsigned compared = 0;
  for (const Decoded& plain : examples(decoder_)) {
    const auto example = onDistinctRegisters(decoder_, plain);
    if (example == nullptr || readsEncoding(example->instruction)) {
      continue;
    }
    for (unsigned bit = 0; bit < 64; ++bit) {
      const Decoded other(decoder_, flipped(example->encoding, bit));
      if (!other.executable() || wordsOf(other) == wordsOf(*example) ||
          !addsModifiers(*example, other) || hasNoEffect(other)) {
        continue;
      }
      ++compared;
      EXPECT_TRUE(resultsDiffer(code_, *example, other))
          << "`" << other.text << "` does what `" << example->text << "` does";
    }
  }
  EXPECT_GT(compared, 100u);
}

} // namespace
} // namespace gpusim::test
