// The raw-profile layouts of the toolchain that compiles the drain, generated from its own
// profile/InstrProfData.inc. Device pointers are 64 bits wide on every GPU this serves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "profile/InstrProfData.inc"

#if INSTR_PROF_RAW_VERSION != 10 && INSTR_PROF_RAW_VERSION != 11
#error                                                                                             \
    "DeviceCoverage: build: this toolchain's raw-profile version is neither 10 nor 11; the drain \
cannot write it; use clang 19 to 23 or a newer DeviceCoverage"
#endif

namespace device_coverage {

enum ProfileValueKind : uint32_t {
#define VALUE_PROF_KIND(Enumerator, Value, Description) Enumerator = Value,
#include "profile/InstrProfData.inc"
};

using IntPtrT = uint64_t;

// One record of __llvm_prf_data: a function, and where its counters are relative to the record.
struct ProfileRecord {
#define INSTR_PROF_DATA(Type, LLVMType, Name, Initializer) std::remove_const_t<Type> Name;
#include "profile/InstrProfData.inc"
};

struct RawProfileHeader {
#define INSTR_PROF_RAW_HEADER(Type, Name, Initializer) Type Name;
#include "profile/InstrProfData.inc"
};

static_assert(sizeof(RawProfileHeader) % sizeof(uint64_t) == 0, "the file's parts stay aligned");
static_assert(sizeof(ProfileRecord) == (INSTR_PROF_RAW_VERSION == 10 ? 64 : 72),
              "the record is packed as LLVM packs it");

#define DEVICE_COVERAGE_QUOTE(name) DEVICE_COVERAGE_QUOTE_EXPANDED(name)
#define DEVICE_COVERAGE_QUOTE_EXPANDED(name) #name
constexpr const char kDataSection[] = DEVICE_COVERAGE_QUOTE(INSTR_PROF_DATA_COMMON);
constexpr const char kNamesSection[] = DEVICE_COVERAGE_QUOTE(INSTR_PROF_NAME_COMMON);
constexpr const char kCountersSection[] = DEVICE_COVERAGE_QUOTE(INSTR_PROF_CNTS_COMMON);
constexpr const char kBitmapSection[] = DEVICE_COVERAGE_QUOTE(INSTR_PROF_BITS_COMMON);
#if INSTR_PROF_RAW_VERSION >= 11
constexpr const char* kUniformCountersSection = DEVICE_COVERAGE_QUOTE(INSTR_PROF_UCNTS_COMMON);
constexpr const char* kChangingRecordsSection = kDataSection;
#else
constexpr const char* kUniformCountersSection = nullptr;
constexpr const char* kChangingRecordsSection = nullptr;
#endif
#undef DEVICE_COVERAGE_QUOTE
#undef DEVICE_COVERAGE_QUOTE_EXPANDED

} // namespace device_coverage
