// Libraries that the process has loaded already. Nothing here loads one.
#pragma once

namespace device_coverage {

// A handle, to be closed with dlclose, of the first loaded library whose file name begins so; null
// when there is none. It also finds what an interpreter loaded privately, out of the global scope.
void* openLoadedLibrary(const char* beginning);

} // namespace device_coverage
