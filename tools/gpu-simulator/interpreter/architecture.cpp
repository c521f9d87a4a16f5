#include "architecture.h"

#include <algorithm>
#include <iterator>

#include "families/families.h"

namespace gpusim {

namespace {

constexpr FamilyFunction kGfx9Families[] = {
    scalarAluFamily,        scalarCompareFamily,
    controlFamily,          scalarMemoryFamily,
    scalarAtomicFamily,     scalarRelativeFamily,
    hardwareRegisterFamily, vectorIntegerFamily,
    vectorMoveFamily,       globalMemoryFamily,
    bufferMemoryFamily,     bufferAtomicFamily,
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
    quadDifferencesFamily,
};

/// RDNA. Rows that differ from those of gfx9 come first.
constexpr FamilyFunction kRdnaFamilies[] = {
    laneExchangeOf32Family,
    vectorCompareIntegerExecFamily,
    vectorCompareFloatExecFamily,
    scalarAluFamily,
    scalarCompareFamily,
    controlFamily,
    hardwareRegisterFamily,
    scalarMemoryFamily,
    scalarAtomicFamily,
    scalarRelativeFamily,
    quadDifferencesFamily,
    vectorIntegerFamily,
    vectorMoveFamily,
    relativeMoveFamily,
    globalMemoryFamily,
    bufferMemoryFamily,
    bufferAtomicFamily,
    dataShareAtomicFamily,
    dataShareFamily,
    globalAtomicFamily,
    globalWaveSyncFamily,
    laneExchangeFamily,
    vectorCarryFamily,
    vectorInteger16Family,
    vectorCompareIntegerFamily,
    vectorFloatFamily,
    packedIntegerFamily,
    dotProductFamily,
    vectorCompareFloatFamily,
    vectorConversionFamily,
    packedFloatFamily,
    mixedPrecisionFamily,
    vectorDivisionFamily,
    vectorExponentFamily,
    vectorTranscendentalFamily,
    vectorCubeMapFamily,
};

/// Eight-bit floats without infinities and negative zero; successors use the same mnemonics for
/// other formats.
constexpr FamilyFunction kFnuzFamilies[] = {fnuzConversionFamily, fnuzMatrixFamily};
constexpr FamilyFunction kOcpFamilies[] = {ocpConversionFamily, ocpMatrixFamily,
                                           scaledConversionFamily, bitOperationFamily};

constexpr Architecture kArchitectures[] = {
    {.name = "gfx906", .families = kGfx9Families},
    {.name = "gfx908",
     .families = kGfx9Families,
     .separateAccumulation = true,
     .loadsWholeRegisters = true},
    {.name = "gfx90a",
     .families = kGfx9Families,
     .packedWorkItemId = true,
     .unifiedRegisters = true,
     .loadsWholeRegisters = true},
    {.name = "gfx942",
     .families = kGfx9Families,
     .ownFamilies = kFnuzFamilies,
     .packedWorkItemId = true,
     .unifiedRegisters = true,
     .architectedFlatScratch = true,
     .loadsWholeRegisters = true,
     .hasDies = true},
    {.name = "gfx950",
     .families = kGfx9Families,
     .ownFamilies = kOcpFamilies,
     .packedWorkItemId = true,
     .unifiedRegisters = true,
     .architectedFlatScratch = true,
     .loadsWholeRegisters = true,
     .hasDies = true},
    {.name = "gfx1030",
     .families = kRdnaFamilies,
     .addRenames = addGfx10Renames,
     .halfWaves = true,
     .keepsHighHalves = true},
    {.name = "gfx1100",
     .families = kRdnaFamilies,
     .addRenames = addGfx11Renames,
     .packedWorkItemId = true,
     .architectedFlatScratch = true,
     .halfWaves = true,
     .keepsHighHalves = true},
};

} // namespace

const Architecture* findArchitecture(std::string_view name) {
  const auto* found = std::find_if(std::begin(kArchitectures), std::end(kArchitectures),
                                   [&](const Architecture& each) { return each.name == name; });
  return found == std::end(kArchitectures) ? nullptr : found;
}

} // namespace gpusim
