// Attributes of shared virtual memory: which GPUs may reach which ranges of host memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>

#include "driver/gpu.h"
#include "driver/kfd_abi.h"

namespace gpusim {

class SharedMemoryAttributes {
public:
  explicit SharedMemoryAttributes(std::span<const std::unique_ptr<Gpu>> gpus) : gpus_(gpus) {}

  /// The SVM request; its attributes follow `arguments` in memory. 0 or a negated errno.
  int request(kfd_ioctl_svm_args& arguments);

private:
  struct Attributes {
    uint32_t preferredLocation = KFD_IOCTL_SVM_LOCATION_UNDEFINED;
    uint32_t prefetchLocation = KFD_IOCTL_SVM_LOCATION_UNDEFINED;
    uint32_t flags = KFD_IOCTL_SVM_FLAG_HOST_ACCESS | KFD_IOCTL_SVM_FLAG_COHERENT;
    uint32_t granularity = 9;      ///< log2 of pages that migrate together
    std::set<uint32_t> accessible; ///< GPU IDs
    bool operator==(const Attributes&) const = default;
  };

  /// Cuts the pieces so that `[begin, end)` is covered by whole ones, and visits those.
  template <typename Visit>
  void forEachPiece(uint64_t begin, uint64_t end, Visit visit);
  void cutAt(uint64_t address);
  int apply(Attributes& attributes, const kfd_ioctl_svm_attribute& wanted);
  void answer(const Attributes& attributes, kfd_ioctl_svm_attribute& asked) const;
  Gpu* findGpu(uint32_t gpuId) const;

  struct Piece {
    uint64_t end;
    Attributes attributes;
  };

  std::span<const std::unique_ptr<Gpu>> gpus_;
  std::mutex mutex_;
  std::map<uint64_t, Piece> pieces_; ///< by begin, disjoint
};

} // namespace gpusim
