#include "launcher/instruction_list.h"

#include "interpreter/instruction_survey.h"

namespace gpusim {

bool printInstructions(std::string_view architecture, std::ostream& out) {
  const auto survey = surveyInstructions(architecture);
  if (!survey) {
    return false;
  }
  for (const auto& [mnemonic, support] : *survey) {
    out << mnemonic << " " << wordFor(support) << "\n";
  }
  return true;
}

} // namespace gpusim
