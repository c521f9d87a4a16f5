// Loads a code object into a FlatMemory and dispatches its kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "flat_memory.h"
#include "interpreter/interpreter.h"

namespace gpusim::test {

/// How a kernel is launched. Sizes are in work-items.
struct LaunchSize {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t group[3] = {1, 1, 1};
};

/// Explicit kernel arguments, each at its natural alignment.
class Arguments {
public:
  template <class T>
  Arguments& add(const T& value) {
    const size_t offset = (bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes_.resize(offset + sizeof value);
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

private:
  std::vector<std::byte> bytes_;
};

class CodeObject {
public:
  static constexpr uint64_t kBase = 0x7e0000000000;

  /// Maps the segments at kBase and applies the relocations. `problem()` tells what went wrong.
  CodeObject(const std::string& path, FlatMemory& memory);

  const std::string& problem() const { return problem_; }
  /// LLVM's name of the processor; empty when it is none that is known here.
  const std::string& architecture() const { return architecture_; }
  bool has(const std::string& kernel) const { return descriptors_.count(kernel) != 0; }

  /// A dispatch of `kernel`; the arguments and scratch memory are mapped.
  Dispatch dispatch(const std::string& kernel, const LaunchSize& size, const Arguments& arguments);

private:
  void load(const std::vector<std::byte>& file);
  void relocate(const std::vector<std::byte>& file);
  void collectDescriptors(const std::vector<std::byte>& file);

  FlatMemory& memory_;
  std::string problem_;
  std::string architecture_;
  std::map<std::string, uint64_t> descriptors_;
};

/// Runs to the end, at most `turns` steps of 100,000 wave-instructions.
KernelExecution::Progress runToEnd(KernelExecution& execution, unsigned turns = 10000);

} // namespace gpusim::test
