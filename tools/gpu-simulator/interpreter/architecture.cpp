#include "architecture.h"

#include <algorithm>
#include <iterator>

#include "families/families.h"

namespace gpusim {

namespace {

constexpr FamilyFunction kGfx9Families[] = {
    scalarAluFamily,        scalarCompareFamily,
    controlFamily,          scalarMemoryFamily,
    vectorIntegerFamily,    vectorMoveFamily,
    globalMemoryFamily,     bufferMemoryFamily,
    dataShareAtomicFamily,  dataShareFamily,
    globalAtomicFamily,     globalWaveSyncFamily,
    laneExchangeFamily,     vectorCarryFamily,
    vectorInteger16Family,  vectorCompareIntegerFamily,
    vectorFloatFamily,      packedIntegerFamily,
    dotProductFamily,       vectorCompareFloatFamily,
    vectorConversionFamily, packedFloatFamily,
    mixedPrecisionFamily,   vectorDivisionFamily,
    vectorExponentFamily,   vectorTranscendentalFamily,
    vectorCubeMapFamily,    matrixFamily,
};

constexpr Architecture kArchitectures[] = {
    {"gfx906", kGfx9Families, false, false},
    {"gfx908", kGfx9Families, false, false},
    {"gfx90a", kGfx9Families, true, true},
};

} // namespace

const Architecture* findArchitecture(std::string_view name) {
  const auto* found = std::find_if(std::begin(kArchitectures), std::end(kArchitectures),
                                   [&](const Architecture& each) { return each.name == name; });
  return found == std::end(kArchitectures) ? nullptr : found;
}

} // namespace gpusim
