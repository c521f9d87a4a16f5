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

/// Rows that differ from those of gfx9 come first.
constexpr FamilyFunction kGfx10Families[] = {
    laneExchangeOf32Family,
    vectorCompareIntegerExecFamily,
    vectorCompareFloatExecFamily,
    scalarAluFamily,
    scalarCompareFamily,
    controlFamily,
    scalarMemoryFamily,
    vectorIntegerFamily,
    vectorMoveFamily,
    relativeMoveFamily,
    globalMemoryFamily,
    bufferMemoryFamily,
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

/// What the assembler of gfx10 calls the instructions of gfx9.
constexpr Rename kGfx10Renames[] = {
    {"v_add_nc_u32", "v_add_u32"},        {"v_sub_nc_u32", "v_sub_u32"},
    {"v_subrev_nc_u32", "v_subrev_u32"},  {"v_add_nc_i32", "v_add_i32"},
    {"v_sub_nc_i32", "v_sub_i32"},        {"v_add_nc_u16", "v_add_u16"},
    {"v_sub_nc_u16", "v_sub_u16"},        {"v_add_nc_i16", "v_add_i16"},
    {"v_sub_nc_i16", "v_sub_i16"},        {"v_add_co_ci_u32", "v_addc_co_u32"},
    {"v_sub_co_ci_u32", "v_subb_co_u32"}, {"v_subrev_co_ci_u32", "v_subbrev_co_u32"},
    {"v_mul_lo_i32", "v_mul_lo_u32"},     {"buffer_gl0_inv", "buffer_wbinvl1"},
    {"buffer_gl1_inv", "buffer_wbinvl1"}, {"s_gl1_inv", "s_dcache_inv"},
};

constexpr Architecture kArchitectures[] = {
    {.name = "gfx906", .families = kGfx9Families},
    {.name = "gfx908", .families = kGfx9Families, .separateAccumulation = true},
    {.name = "gfx90a",
     .families = kGfx9Families,
     .packedWorkItemId = true,
     .unifiedRegisters = true},
    {.name = "gfx1030",
     .families = kGfx10Families,
     .renames = kGfx10Renames,
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
