// Feeds arbitrary bytes to the readers of object files, archives and fat binaries. Whatever comes
// in, they end with a result or a FormatError: no crash, no read outside of the input, no unbounded
// memory or time.
//
// Built with -DDEVICE_COVERAGE_FUZZ=ON by a clang that has libFuzzer. A run of ten minutes:
//   fuzz_readers -max_total_time=600 -rss_limit_mb=1024 -timeout=10 <corpus>
#include <cstdint>

#include "content_hash.h"
#include "object_scan.h"

namespace {

class Reader : public device_coverage::ObjectVisitor {
public:
  void hostImage(const device_coverage::Origin&, const device_coverage::ElfFile& elf) override {
    device_coverage::coverageFunctionCount(elf);
    elf.buildId();
  }
  void codeObject(const device_coverage::Origin& origin,
                  const device_coverage::CodeObject& object) override {
    origin.text();
    object.kernels();
    object.file().buildId();
    device_coverage::contentHashText(object.file().bytes());
    device_coverage::coverageFunctionCount(object.file());
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Reader reader;
  try {
    device_coverage::scanBytes(
        {.file = "input", .member = {}, .section = {}, .container = {}, .entryId = {}},
        std::as_bytes(std::span(data, size)), reader);
  } catch (const device_coverage::FormatError&) {
    return 0; // what is refused is refused
  }
  return 0;
}
