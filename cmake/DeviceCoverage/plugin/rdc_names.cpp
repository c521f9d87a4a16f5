// Makes relocatable device code (-fgpu-rdc) with coverage link under LLVM 22.
//
// There every instrumented translation unit defines the protected symbol `__llvm_prf_nm`, its names
// of functions, so that the device link of two of them fails; told to allow the duplicates, it
// keeps one unit's names and drops the coverage of all others in silence. Nothing refers to the
// symbol by name: with internal linkage each unit keeps its own, and the linker joins them by
// section as it does on the host.
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace {

class InternalizeNames : public llvm::PassInfoMixin<InternalizeNames> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
    llvm::GlobalVariable* names = module.getGlobalVariable("__llvm_prf_nm", /*AllowInternal=*/true);
    if (names == nullptr)
      return llvm::PreservedAnalyses::all();
    names->setVisibility(llvm::GlobalValue::DefaultVisibility);
    names->setLinkage(llvm::GlobalValue::InternalLinkage);
    return llvm::PreservedAnalyses::none();
  }

  // Runs at -O0 and on modules whose functions are all `optnone` too.
  static bool isRequired() { return true; }
};

// At the very end, since the names are emitted by the lowering of the counters, which is a pass
// itself.
void registerPass(llvm::PassBuilder& builder) {
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel /*level*/,
         llvm::ThinOrFullLTOPhase /*phase*/) { passes.addPass(InternalizeNames()); });
}

} // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "DeviceCoverageRdcNames", "1", registerPass};
}
