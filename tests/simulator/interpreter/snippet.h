// Runs assembler snippets on one wave of the interpreter and reads its registers back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "flat_memory.h"
#include "interpreter/interpreter.h"

namespace gpusim::test {

using Lanes = std::array<uint32_t, 64>;

/// One wave. Before the snippet the registers in `vectors` and `scalars` are loaded; after it,
/// those that were asked for are stored. The snippet may use v0..v31, a0..a31, s0..s59, VCC, and so
/// on; the frame around it owns the registers above. EXEC is full in the frame and `exec` in the
/// snippet.
class Snippet {
public:
  explicit Snippet(std::string text) : text_(std::move(text)) {}

  Snippet& vector(unsigned index, const Lanes& lanes) {
    vectorsIn_[index] = lanes;
    return *this;
  }
  Snippet& vector(unsigned index, uint32_t value) {
    Lanes lanes;
    lanes.fill(value);
    return vector(index, lanes);
  }
  Snippet& scalar(unsigned index, uint32_t value) {
    scalarsIn_[index] = value;
    return *this;
  }
  Snippet& exec(uint64_t mask) {
    exec_ = mask;
    return *this;
  }
  Snippet& ldsBytes(uint32_t bytes) {
    ldsBytes_ = bytes;
    return *this;
  }
  Snippet& localOverrun(LocalOverrun overrun) {
    localOverrun_ = overrun;
    return *this;
  }
  /// LLVM's name; gfx90a otherwise.
  Snippet& processor(std::string name) {
    processor_ = std::move(name);
    return *this;
  }
  /// Of the wave: 64, or 32 on processors that have such waves.
  Snippet& lanes(unsigned count) {
    lanes_ = count;
    return *this;
  }
  Snippet& wantVectors(unsigned first, unsigned count = 1) {
    for (unsigned index = first; index < first + count; ++index) {
      vectorsOut_[index] = {};
    }
    return *this;
  }
  Snippet& wantScalars(unsigned first, unsigned count = 1) {
    for (unsigned index = first; index < first + count; ++index) {
      scalarsOut_[index] = 0;
    }
    return *this;
  }

  /// Runs; false when it faulted (see fault()) or could not be assembled.
  bool run();

  const Lanes& vectorOut(unsigned index) const { return vectorsOut_.at(index); }
  uint32_t scalarOut(unsigned index) const { return scalarsOut_.at(index); }
  uint64_t scalarPairOut(unsigned index) const {
    return scalarsOut_.at(index) | static_cast<uint64_t>(scalarsOut_.at(index + 1)) << 32;
  }
  uint64_t vccOut() const { return vcc_; }
  uint64_t execOut() const { return execOut_; }
  uint32_t sccOut() const { return scc_; }
  const Fault& fault() const { return fault_; }
  const ExecutionStatistics& statistics() const { return statistics_; }

  /// A writable block of 64 KiB whose address snippets get in s[60:61].
  static constexpr uint64_t kData = 0x7f0000100000;
  static constexpr uint64_t kSharedAperture = 0x1000000000000;
  static constexpr uint64_t kPrivateAperture = 0x2000000000000;
  FlatMemory memory;
  GlobalWaveSync waveSync;

private:
  std::string frame() const;
  void layOut();
  void readBack();

  std::string text_;
  std::string processor_ = "gfx90a";
  unsigned lanes_ = 64;
  std::map<unsigned, Lanes> vectorsIn_;
  std::map<unsigned, uint32_t> scalarsIn_;
  std::map<unsigned, Lanes> vectorsOut_;
  std::map<unsigned, uint32_t> scalarsOut_;
  uint64_t exec_ = ~uint64_t{0};
  uint32_t ldsBytes_ = 0;
  LocalOverrun localOverrun_ = LocalOverrun::Fault;
  uint64_t vcc_ = 0;
  uint64_t execOut_ = 0;
  uint32_t scc_ = 0;
  Fault fault_;
  ExecutionStatistics statistics_;
};

} // namespace gpusim::test
