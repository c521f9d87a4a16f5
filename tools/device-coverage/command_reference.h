// The help in other forms, made from the same descriptions of commands and options.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace device_coverage {

/// A page for man(1).
std::string manPage(const CLI::App& app);

/// To be sourced by bash.
std::string bashCompletion(const CLI::App& app);

/// To be put into a folder of zsh's `fpath`, as `_device-coverage`.
std::string zshCompletion(const CLI::App& app);

} // namespace device_coverage
