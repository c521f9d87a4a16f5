#include "operand_forms.h"

namespace gpusim {

bool isFormModifier(Encoding, std::string_view) {
  return false;
}

Handler wrapForm(Encoding, Instruction&) {
  return nullptr;
}

} // namespace gpusim
