// Offload bundles made by hand, to the formats' description, so that every field can be made wrong.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace test_support {

/// Appends `value` in little-endian order, `size` bytes.
void appendNumber(std::string& to, uint64_t value, size_t size);

/// A plain bundle of (entry ID, image) pairs; images begin at multiples of `alignment`.
std::string plainBundle(const std::vector<std::pair<std::string, std::string>>& entries,
                        size_t alignment = 8);

enum class Method : uint16_t { Zlib = 0, Zstd = 1 };

/// A compressed bundle of version 1, 2 or 3.
std::string compressedBundle(const std::string& plain, uint16_t version, Method method);

/// The smallest AMDGPU ELF that has section headers: a code object for gfx90a without any code.
/// `payload` makes its content differ from others.
std::string tinyCodeObject(uint32_t flags = 0x53f, const std::string& payload = "");

} // namespace test_support
