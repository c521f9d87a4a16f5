#include "operand_forms.h"

#include <algorithm>
#include <iterator>

#include "data_parallel_form.h"
#include "sub_dword_form.h"

namespace gpusim {

bool isFormModifier(Encoding encoding, std::string_view modifier) {
  constexpr std::string_view kSubDword[] = {"dst_sel:", "dst_unused:", "src0_sel:", "src1_sel:"};
  constexpr std::string_view kDataParallel[] = {
      "quad_perm:", "row_", "wave_", "bank_mask:", "bound_ctrl:", "dpp8:", "fi:"};
  const auto begins = [&](std::string_view name) { return modifier.starts_with(name); };
  switch (encoding) {
  case Encoding::Sdwa:
    return std::any_of(std::begin(kSubDword), std::end(kSubDword), begins);
  case Encoding::Dpp:
    return std::any_of(std::begin(kDataParallel), std::end(kDataParallel), begins);
  case Encoding::Plain:
    break;
  }
  return false;
}

Handler wrapForm(Encoding encoding, Instruction& instruction) {
  return encoding == Encoding::Sdwa ? wrapSubDword(instruction) : wrapDataParallel(instruction);
}

} // namespace gpusim
