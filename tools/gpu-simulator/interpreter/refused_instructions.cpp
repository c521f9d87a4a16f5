#include "refused_instructions.h"

#include <algorithm>
#include <iterator>

namespace gpusim {

namespace {

struct RefusedFamily {
  std::string_view prefix; ///< of the mnemonics
  std::string_view why;
};

constexpr std::string_view kImages = "images and textures are not modelled; use plain memory";
constexpr std::string_view kTyped =
    "buffers with a data format are not modelled; use untyped buffers or plain memory";
constexpr std::string_view kGraphics = "graphics pipelines are not modelled";
constexpr std::string_view kTraps = "trap handlers and debuggers are not modelled";
constexpr std::string_view kForks = "forking control flow is not modelled; compilers do not use it";
constexpr std::string_view kDirectToLds =
    "transfers between memory and LDS without registers are not modelled";
constexpr std::string_view kSparse = "products of sparse matrices are not modelled";
constexpr std::string_view kStochastic =
    "stochastic rounding is not modelled: which random bits decide is not documented";
constexpr std::string_view kLegacy =
    "what the legacy variant does differently is not documented; use the plain instruction";
constexpr std::string_view kTwoAddresses =
    "LDS operations on two addresses are not modelled; compilers do not use them";
constexpr std::string_view kTranslation = "address translation is not modelled";
constexpr std::string_view kPrivateScalar =
    "scalar access to private memory is not modelled; compilers do not use it";

constexpr std::string_view kTransposed =
    "loads from LDS that transpose are not modelled: which lane gets what is not documented";
constexpr std::string_view kBlockScaled =
    "matrix products of mixed and scaled formats are not modelled";
constexpr std::string_view kRays = "ray tracing is not modelled";
constexpr std::string_view kWaveMatrix = "the matrix products of RDNA (WMMA) are not modelled";

constexpr RefusedFamily kRefused[] = {
    {"image_", kImages},
    {"buffer_load_format_", kTyped},
    {"buffer_store_format_", kTyped},
    {"buffer_load_d16_format_", kTyped},
    {"buffer_load_d16_hi_format_", kTyped},
    {"buffer_store_d16_format_", kTyped},
    {"buffer_store_d16_hi_format_", kTyped},
    {"tbuffer_", kTyped},
    {"buffer_store_lds_", kDirectToLds},
    {"global_load_lds_", kDirectToLds},
    {"scratch_load_lds_", kDirectToLds},
    {"v_smfmac_", kSparse},
    {"v_cvt_sr_", kStochastic},
    {"v_cvt_scalef32_sr_", kStochastic},
    {"v_mfma_f32_16x16x128_f8f6f4", kBlockScaled},
    {"v_mfma_f32_32x32x64_f8f6f4", kBlockScaled},
    {"v_mfma_scale_", kBlockScaled},
    {"v_mfma_ld_scale_", kBlockScaled},
    {"ds_read_b64_tr_", kTransposed},
    {"ds_read_b96_tr_", kTransposed},
    {"v_exp_legacy_", kLegacy},
    {"v_log_legacy_", kLegacy},
    {"exp", kGraphics},
    {"s_endpgm_ordered_ps_done", kGraphics},
    {"v_interp_", kGraphics},
    {"v_screen_partition_", kGraphics},
    {"v_mullit_", kGraphics},
    {"ds_ordered_count", kGraphics},
    {"ds_add_gs_reg_", kGraphics},
    {"ds_sub_gs_reg_", kGraphics},
    {"lds_direct_load", kGraphics},
    {"lds_param_load", kGraphics},
    {"ds_bvh_stack_", kRays},
    {"v_wmma_", kWaveMatrix},
    {"s_rfe_", kTraps},
    {"s_cbranch_cdbg", kTraps},
    {"s_endpgm_saved", kTraps},
    {"s_sethalt", kTraps},
    {"s_sendmsghalt", kTraps},
    {"s_setkill", kTraps},
    {"s_cbranch_g_fork", kForks},
    {"s_cbranch_i_fork", kForks},
    {"s_cbranch_join", kForks},
    {"s_setvskip", kForks},
    {"s_atc_probe", kTranslation},
    {"s_scratch_", kPrivateScalar},
};

} // namespace

std::string_view refusalOf(std::string_view mnemonic) {
  if (mnemonic.starts_with("ds_") && mnemonic.find("_src2_") != std::string_view::npos) {
    return kTwoAddresses;
  }
  const auto* found =
      std::find_if(std::begin(kRefused), std::end(kRefused),
                   [&](const RefusedFamily& each) { return mnemonic.starts_with(each.prefix); });
  return found == std::end(kRefused) ? std::string_view{} : found->why;
}

} // namespace gpusim
