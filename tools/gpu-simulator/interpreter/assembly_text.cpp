#include "assembly_text.h"

#include <algorithm>

namespace gpusim {

namespace {

bool dropSuffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) {
    return false;
  }
  text.remove_suffix(suffix.size());
  return true;
}

void dropEncoding(AssemblyText& result) {
  if (dropSuffix(result.mnemonic, "_e32") || dropSuffix(result.mnemonic, "_e64")) {
    return;
  }
  if (dropSuffix(result.mnemonic, "_sdwa")) {
    result.encoding = Encoding::Sdwa;
  } else if (dropSuffix(result.mnemonic, "_dpp")) {
    result.encoding = Encoding::Dpp;
    dropSuffix(result.mnemonic, "_e64");
  }
}

/// Takes the text up to one of `separators` outside brackets off the front of `rest`.
std::string_view takeUntil(std::string_view& rest, std::string_view separators) {
  int depth = 0;
  size_t end = 0;
  for (; end < rest.size(); ++end) {
    const char c = rest[end];
    depth += c == '[' || c == '(' ? 1 : 0;
    depth -= c == ']' || c == ')' ? 1 : 0;
    if (depth == 0 && separators.find(c) != std::string_view::npos) {
      break;
    }
  }
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

void skipSpaces(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
}

/// Modifiers that may follow a mnemonic without operands.
bool isLoneModifier(std::string_view token) {
  return token.starts_with("offset:") || token == "gds";
}

/// A token after white space instead of a comma is a modifier, unless it is the first.
void splitOperands(AssemblyText& result, std::string_view rest) {
  bool afterComma = true;
  for (skipSpaces(rest); !rest.empty(); skipSpaces(rest)) {
    const size_t before = rest.size();
    const std::string_view token = takeUntil(rest, ", \t");
    const bool isOperand = afterComma && !isLoneModifier(token);
    (isOperand ? result.operands : result.modifiers).push_back(token);
    const size_t consumed = before - rest.size();
    afterComma = consumed > token.size() && token.data()[token.size()] == ',';
  }
}

} // namespace

std::pair<std::string_view, std::string_view> splitDual(std::string_view text) {
  constexpr std::string_view kBorder = " :: ";
  const size_t border = text.find(kBorder);
  if (border == std::string_view::npos) {
    return {text, {}};
  }
  return {text.substr(0, border), text.substr(border + kBorder.size())};
}

AssemblyText splitAssembly(std::string_view text) {
  AssemblyText result;
  result.mnemonic = takeUntil(text, " \t");
  dropEncoding(result);
  splitOperands(result, text);
  return result;
}

} // namespace gpusim
