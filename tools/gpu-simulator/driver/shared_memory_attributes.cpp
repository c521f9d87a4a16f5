#include "driver/shared_memory_attributes.h"

#include <cerrno>
#include <iterator>
#include <string>

#include "driver/log.h"

namespace gpusim {

int SharedMemoryAttributes::request(kfd_ioctl_svm_args& arguments) {
  const std::span<kfd_ioctl_svm_attribute> attributes(arguments.attrs, arguments.nattr);
  const uint64_t begin = arguments.start_addr;
  const uint64_t end = begin + arguments.size;
  if (begin >= end)
    return -EINVAL;
  const std::lock_guard lock(mutex_);
  int error = 0;
  if (arguments.op == KFD_IOCTL_SVM_OP_SET_ATTR) {
    forEachPiece(begin, end, [&](uint64_t from, Piece& piece) {
      for (const kfd_ioctl_svm_attribute& wanted : attributes)
        if (const int failed = apply(piece.attributes, wanted); failed != 0)
          error = failed;
      for (const std::unique_ptr<Gpu>& gpu : gpus_)
        if (piece.attributes.accessible.contains(gpu->gpuId()))
          gpu->memory.map(from, piece.end - from, reinterpret_cast<std::byte*>(from), true);
        else
          gpu->memory.unmap(from, piece.end - from);
    });
    return error;
  }
  if (arguments.op != KFD_IOCTL_SVM_OP_GET_ATTR)
    return -EINVAL;
  // Where the range is not uniform, the answer is that of its first piece.
  const auto next = pieces_.upper_bound(begin);
  const bool inside = next != pieces_.begin() && std::prev(next)->second.end > begin;
  const Attributes found = inside ? std::prev(next)->second.attributes : Attributes{};
  for (kfd_ioctl_svm_attribute& asked : attributes)
    answer(found, asked);
  return 0;
}

template <typename Visit>
void SharedMemoryAttributes::forEachPiece(uint64_t begin, uint64_t end, Visit visit) {
  cutAt(begin);
  cutAt(end);
  for (uint64_t at = begin; at < end;) {
    auto piece = pieces_.lower_bound(at);
    if (piece == pieces_.end() || piece->first > at) {
      const uint64_t gapEnd = piece == pieces_.end() ? end : std::min(end, piece->first);
      piece = pieces_.emplace(at, Piece{.end = gapEnd, .attributes = {}}).first;
    }
    visit(piece->first, piece->second);
    at = piece->second.end;
  }
}

void SharedMemoryAttributes::cutAt(uint64_t address) {
  const auto next = pieces_.upper_bound(address);
  if (next == pieces_.begin())
    return;
  const auto before = std::prev(next);
  if (before->first == address || before->second.end <= address)
    return;
  pieces_.emplace(address, before->second);
  before->second.end = address;
}

int SharedMemoryAttributes::apply(Attributes& attributes, const kfd_ioctl_svm_attribute& wanted) {
  switch (wanted.type) {
  case KFD_IOCTL_SVM_ATTR_PREFERRED_LOC:
    attributes.preferredLocation = wanted.value;
    return 0;
  case KFD_IOCTL_SVM_ATTR_PREFETCH_LOC:
    attributes.prefetchLocation = wanted.value;
    return 0;
  case KFD_IOCTL_SVM_ATTR_ACCESS:
  case KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE:
  case KFD_IOCTL_SVM_ATTR_NO_ACCESS:
    if (findGpu(wanted.value) == nullptr)
      return -EINVAL;
    if (wanted.type == KFD_IOCTL_SVM_ATTR_NO_ACCESS)
      attributes.accessible.erase(wanted.value);
    else
      attributes.accessible.insert(wanted.value);
    return 0;
  case KFD_IOCTL_SVM_ATTR_SET_FLAGS:
    attributes.flags |= wanted.value;
    return 0;
  case KFD_IOCTL_SVM_ATTR_CLR_FLAGS:
    attributes.flags &= ~wanted.value;
    return 0;
  case KFD_IOCTL_SVM_ATTR_GRANULARITY:
    attributes.granularity = wanted.value;
    return 0;
  default:
    logLine("shared-memory attribute " + std::to_string(wanted.type) +
            " is not modelled; the request is refused");
    return -EINVAL;
  }
}

void SharedMemoryAttributes::answer(const Attributes& attributes,
                                    kfd_ioctl_svm_attribute& asked) const {
  switch (asked.type) {
  case KFD_IOCTL_SVM_ATTR_PREFERRED_LOC:
    asked.value = attributes.preferredLocation;
    break;
  case KFD_IOCTL_SVM_ATTR_PREFETCH_LOC:
    asked.value = attributes.prefetchLocation;
    break;
  case KFD_IOCTL_SVM_ATTR_ACCESS:
    asked.type = attributes.accessible.contains(asked.value)
                     ? uint32_t{KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE}
                     : uint32_t{KFD_IOCTL_SVM_ATTR_NO_ACCESS};
    break;
  case KFD_IOCTL_SVM_ATTR_SET_FLAGS:
    asked.value = attributes.flags;
    break;
  case KFD_IOCTL_SVM_ATTR_CLR_FLAGS:
    asked.value = ~attributes.flags;
    break;
  case KFD_IOCTL_SVM_ATTR_GRANULARITY:
    asked.value = attributes.granularity;
    break;
  default:
    break;
  }
}

Gpu* SharedMemoryAttributes::findGpu(uint32_t gpuId) const {
  for (const std::unique_ptr<Gpu>& gpu : gpus_)
    if (gpu->gpuId() == gpuId)
      return gpu.get();
  return nullptr;
}

} // namespace gpusim
