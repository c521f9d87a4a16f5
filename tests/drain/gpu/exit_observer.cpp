// Tells on stderr what happens when a program starts and ends: it stands in front of two of HIP's
// functions by their names, and is a tool of HSA's too, ahead of the drain.
#define AMD_INTERNAL_BUILD // the headers then include each other by their plain names
#include <hsa.h>
#include <hsa_api_trace.h>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace {

decltype(hsa_executable_destroy)* realDestroy = nullptr;

hsa_status_t destroy(hsa_executable_t executable);

} // namespace

extern "C" void sayEvent(const char* event) {
  char line[200] = {};
  std::strncat(std::strncpy(line, event, sizeof line - 2), "\n", 1);
  if (write(STDERR_FILENO, line, std::strlen(line)) < 0)
    _exit(93);
}

namespace {

hsa_status_t destroy(hsa_executable_t executable) {
  sayEvent("HSA destroys an executable");
  return realDestroy(executable);
}

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void registerHandler() {
  std::atexit([] { sayEvent("handler registered by a library's constructor"); });
}

__attribute__((destructor)) void tellEnd() {
  sayEvent("destructor of a library");
}

} // namespace

extern "C" void** __hipRegisterFatBinary(const void* fatBinary) {
  sayEvent("HIP registers a fat binary");
  return original<void**(const void*)>("__hipRegisterFatBinary")(fatBinary);
}

extern "C" void __hipUnregisterFatBinary(void** modules) {
  sayEvent("HIP unregisters a fat binary");
  original<void(void**)>("__hipUnregisterFatBinary")(modules);
}

extern "C" bool OnLoad(HsaApiTable* table, uint64_t, uint64_t, const char* const*) {
  sayEvent("HSA loads its tools");
  realDestroy = table->core_->hsa_executable_destroy_fn;
  table->core_->hsa_executable_destroy_fn = destroy;
  return true;
}

extern "C" void OnUnload() {
  sayEvent("HSA unloads its tools");
}
