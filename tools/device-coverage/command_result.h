// What a command prints on the standard output: a text for people, or with `--json` an object for
// machines. The objects are documented in docs/command-json.md.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "message.h"

namespace device_coverage {

using Json = nlohmann::ordered_json;

/// Prints a text at once. Throws Failure when it cannot be written, so that a result that was cut
/// short is not taken for a whole one.
void printResult(std::string_view text);

/// The begin of a command's object, `{"format": "device-coverage-<command>", "version": 1}`.
Json resultHead(std::string_view command);

/// The object as it is printed or written; bytes that are no UTF-8 are replaced.
std::string resultText(const Json& result);

/// The parts of a message, each under its name.
Json messageJson(const Message& message);

} // namespace device_coverage
