#include "instruction_survey.h"

#include <algorithm>

#include "assembly_text.h"
#include "decoder.h"
#include "encoding_space.h"
#include "lanes.h"
#include "refused_instructions.h"

namespace gpusim {

namespace {

Support supportOf(Decoder& decoder, std::span<const std::byte> code, std::string_view mnemonic) {
  Instruction instruction;
  Handler handler = nullptr;
  if (!decoder.decode(code, 0, instruction, handler)) {
    return Support::Implemented;
  }
  return refusalOf(mnemonic).empty() ? Support::Missing : Support::Refused;
}

using Survey = std::map<std::string, Support>;

/// `line` is what `code` stands for, or half of it in a dual instruction.
void addTo(Survey& survey, Decoder& decoder, std::span<const std::byte> code,
           std::string_view line) {
  const std::string mnemonic(splitAssembly(line).mnemonic);
  Support& support = survey[mnemonic];
  if (support != Support::Implemented) {
    support = std::max(support, supportOf(decoder, code, mnemonic));
  }
}

} // namespace

std::string_view wordFor(Support support) {
  switch (support) {
  case Support::Implemented:
    return "implemented";
  case Support::Refused:
    return "refused";
  case Support::Missing:
    break;
  }
  return "missing";
}

std::optional<std::map<std::string, Support>> surveyInstructions(std::string_view architecture) {
  const Architecture* found = findArchitecture(architecture);
  if (found == nullptr) {
    return std::nullopt;
  }
  Decoder decoder(*found, found->halfWaves ? kLanes / 2 : kLanes);
  Survey survey;
  forEachEncoding([&](const EncodedInstruction& encoding) {
    const auto code = std::as_bytes(std::span(encoding));
    const std::string text = decoder.text(code, 0);
    if (text.empty()) {
      return;
    }
    const auto [first, second] = splitDual(text);
    addTo(survey, decoder, code, first);
    if (!second.empty()) {
      addTo(survey, decoder, code, second);
    }
  });
  return survey;
}

} // namespace gpusim
