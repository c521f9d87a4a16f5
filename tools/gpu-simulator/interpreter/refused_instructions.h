// Instructions that are known and deliberately not modelled.
#pragma once

#include <string_view>

namespace gpusim {

/// Why `mnemonic` is refused, as the end of a message; empty when it is not.
std::string_view refusalOf(std::string_view mnemonic);

} // namespace gpusim
