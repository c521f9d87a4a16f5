// As a libFuzzer target, and as part of the unit tests (see CMakeLists.txt). What inspection lets
// pass must be safe to unite and to write.
#include "fuzz_code_object.h"

#include "raw_profile.h"

#include <cstdlib>

using namespace device_coverage;

namespace {

// The registry refuses counters beyond the loaded segment; without a loader there is this bound.
constexpr uint64_t kMostBytes = 1 << 20;

} // namespace

void tryToWriteProfile(const uint8_t* data, size_t size) {
  CodeObject object;
  Reason reason;
  const Inspection result = inspectCodeObject(Bytes{data, size}, object, reason);
  if ((result == Inspection::Refused) == reason.empty())
    std::abort(); // a refusal has a reason, and nothing else has
  if (result != Inspection::Instrumented || readingSize(object) > kMostBytes)
    return;
  Buffer reading;
  Buffer profile;
  if (!clearReading(object, reading))
    return;
  uniteReading(object, reading, reading);
  appendRawProfile(object, reading, profile);
  if (!isSameCode(object, object))
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tryToWriteProfile(data, size);
  return 0;
}
