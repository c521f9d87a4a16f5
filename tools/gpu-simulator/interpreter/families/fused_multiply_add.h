// Fused multiply-add of all lanes.
#pragma once

#include <cstdint>

namespace gpusim {

/// out = a * b + c in single precision, rounded once in the host's rounding mode. Bit patterns of
/// 64 lanes each.
void fusedMultiplyAdd(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out);

/// The same in double precision.
void fusedMultiplyAdd(const uint64_t* a, const uint64_t* b, const uint64_t* c, uint64_t* out);

} // namespace gpusim
