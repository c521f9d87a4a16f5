#include "packets/signal.h"

#include <atomic>

#include <hsa/amd_hsa_signal.h>

#include "driver/address_space.h"

namespace gpusim {
namespace {

amd_signal_t* find(const GuestMemory& memory, hsa_signal_t signal) {
  return reinterpret_cast<amd_signal_t*>(
      translate(memory, signal.handle, sizeof(amd_signal_t), true));
}

/// The value is shared with host threads and other GPUs.
std::atomic_ref<int64_t> valueOf(amd_signal_t& signal) {
  return std::atomic_ref<int64_t>(const_cast<int64_t&>(signal.value));
}

} // namespace

bool Signals::load(hsa_signal_t signal, int64_t& value) const {
  value = 0;
  if (signal.handle == 0)
    return true;
  amd_signal_t* found = find(memory_, signal);
  if (found == nullptr)
    return false;
  value = valueOf(*found).load(std::memory_order_acquire);
  return true;
}

bool Signals::store(hsa_signal_t signal, int64_t value) const {
  if (signal.handle == 0)
    return true;
  amd_signal_t* found = find(memory_, signal);
  if (found == nullptr)
    return false;
  const uint64_t mailbox = found->event_mailbox_ptr;
  const uint32_t eventId = found->event_id;
  valueOf(*found).store(value, std::memory_order_release);
  notify(mailbox, eventId);
  return true;
}

bool Signals::complete(hsa_signal_t signal, const WorkTimes& times) const {
  if (signal.handle == 0)
    return true;
  amd_signal_t* found = find(memory_, signal);
  if (found == nullptr)
    return false;
  // The owner may destroy the signal as soon as it sees the new value: read all of it before.
  const uint64_t mailbox = found->event_mailbox_ptr;
  const uint32_t eventId = found->event_id;
  found->start_ts = times.start;
  found->end_ts = times.end;
  valueOf(*found).fetch_sub(1, std::memory_order_acq_rel);
  notify(mailbox, eventId);
  return true;
}

void Signals::notify(uint64_t mailbox, uint32_t eventId) const {
  if (mailbox == 0)
    return;
  if (std::byte* slot = translate(memory_, mailbox, sizeof(uint64_t), true))
    std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(slot)).store(eventId);
  interrupts_.raise(eventId);
}

} // namespace gpusim
