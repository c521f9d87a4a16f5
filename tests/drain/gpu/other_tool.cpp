// Another HSA tool, which hooks the function that the drain hooks too and reports its first call.
#define AMD_INTERNAL_BUILD // the headers then include each other by their plain names
#include <hsa.h>
#include <hsa_api_trace.h>

#include <unistd.h>

namespace {

decltype(hsa_executable_freeze)* realFreeze = nullptr;

void say(const char* text, size_t size) {
  if (write(STDERR_FILENO, text, size) < 0)
    _exit(93);
}

hsa_status_t freeze(hsa_executable_t executable, const char* options) {
  static bool told = false;
  constexpr char kText[] = "other tool: executable frozen\n";
  if (!told)
    say(kText, sizeof kText - 1);
  told = true;
  return realFreeze(executable, options);
}

} // namespace

extern "C" bool OnLoad(HsaApiTable* table, uint64_t, uint64_t, const char* const*) {
  constexpr char kText[] = "other tool: loaded\n";
  say(kText, sizeof kText - 1);
  realFreeze = table->core_->hsa_executable_freeze_fn;
  table->core_->hsa_executable_freeze_fn = freeze;
  return true;
}

extern "C" void OnUnload() {}
