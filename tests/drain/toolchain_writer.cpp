// Writes a raw profile with the toolchain's own writer, for comparison with the drain's.
//
//   toolchain_writer <target> <data> <counters> <names> <version word>
//
// The three files hold the sections' bytes, that of the counters with the uniform ones behind them
// where the compiler has any. Host copies must keep the device's distance between records and
// counters, so the counters are placed directly before the records, as the device's linker does.
#include "profile_format.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" {
void __llvm_profile_initialize_file(void);
int __llvm_write_custom_profile(const char* target, const char* dataBegin, const char* dataEnd,
                                const char* countersBegin, const char* countersEnd,
#if INSTR_PROF_RAW_VERSION >= 11
                                const char* uniformBegin, const char* uniformEnd,
#endif
                                const char* namesBegin, const char* namesEnd,
                                const uint64_t* versionOverride);
}

static std::vector<char> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

#if INSTR_PROF_RAW_VERSION >= 11
// The writer expects uniform counters at their place in the file: behind records and counters.
static void pointIntoFile(std::vector<char>& image, size_t countersSize) {
  const size_t recordsSize = image.size() - countersSize;
  const size_t uniformSize = countersSize / 2;
  auto* records = reinterpret_cast<device_coverage::ProfileRecord*>(image.data() + countersSize);
  for (size_t i = 0; i < recordsSize / sizeof *records; ++i)
    records[i].UniformCounterPtr += recordsSize + uniformSize + uniformSize;
}
#endif

int main(int argc, char** argv) {
  if (argc != 6)
    return 2;
  const std::vector<char> data = read(argv[2]);
  std::vector<char> image = read(argv[3]);
  const std::vector<char> names = read(argv[4]);
  const uint64_t version = std::strtoull(argv[5], nullptr, 0);
  const size_t countersSize = image.size();
  image.insert(image.end(), data.begin(), data.end());
  const char* counters = image.data();
  const char* records = counters + countersSize;
  __llvm_profile_initialize_file();
#if INSTR_PROF_RAW_VERSION >= 11
  const char* uniform = counters + countersSize / 2;
  pointIntoFile(image, countersSize);
  const int failed = __llvm_write_custom_profile(argv[1], records, records + data.size(), counters,
                                                 uniform, uniform, records, names.data(),
                                                 names.data() + names.size(), &version);
#else
  const int failed =
      __llvm_write_custom_profile(argv[1], records, records + data.size(), counters, records,
                                  names.data(), names.data() + names.size(), &version);
#endif
  return failed == 0 ? 0 : 1;
}
