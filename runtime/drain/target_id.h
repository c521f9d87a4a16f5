// Target IDs (`gfx90a:sramecc+:xnack-`) from the header flags of an AMDGPU ELF.
#pragma once

#include "text.h"

#include <cstdint>

namespace device_coverage {

using TargetId = Text<64>;

// `abiVersion` is e_ident[EI_ABIVERSION] (2, 3, 4 for code-object versions 4, 5, 6), `flags` is
// e_flags. A feature appears only when the code was compiled for one of its settings. False with a
// reason for code-object versions before 4, whose flags mean something else, and for unknown
// architectures.
bool targetIdFromElf(uint8_t abiVersion, uint32_t flags, TargetId& targetId, Reason& reason);

// The target ID as a file-name prefix: `gfx90a.sramecc-on.xnack-off`.
TargetId targetIdAsFileName(const TargetId& targetId);

} // namespace device_coverage
