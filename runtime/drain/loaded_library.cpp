#include "loaded_library.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace device_coverage {
namespace {

struct Search {
  const char* beginning;
  const char* path;
};

int match(dl_phdr_info* object, size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const char* slash = std::strrchr(object->dlpi_name, '/');
  const char* file = slash == nullptr ? object->dlpi_name : slash + 1;
  if (std::strncmp(file, search.beginning, std::strlen(search.beginning)) != 0)
    return 0;
  search.path = object->dlpi_name;
  return 1;
}

} // namespace

void* openLoadedLibrary(const char* beginning) {
  Search search = {beginning, nullptr};
  dl_iterate_phdr(match, &search);
  return search.path == nullptr ? nullptr : dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
}

} // namespace device_coverage
