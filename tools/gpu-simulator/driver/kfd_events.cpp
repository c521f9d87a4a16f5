#include "driver/kfd_events.h"

#include <cerrno>
#include <chrono>

namespace gpusim {
namespace {

constexpr uint32_t kForever = UINT32_MAX;
constexpr uint64_t kEventPageOffset = uint64_t{1} << 62;

} // namespace

int EventTable::create(kfd_ioctl_create_event_args& arguments) {
  if (arguments.event_type > KFD_IOC_EVENT_MEMORY)
    return -EINVAL;
  const std::lock_guard lock(mutex_);
  uint32_t eventId = 1;
  while (events_.contains(eventId))
    ++eventId;
  if (eventId >= kMaxEvents)
    return -ENOSPC;
  events_[eventId] = {.type = arguments.event_type, .autoReset = arguments.auto_reset != 0};
  arguments.event_id = eventId;
  arguments.event_slot_index = eventId;
  arguments.event_trigger_data = eventId;
  // The thunk only gives a signal its mailbox when this is not 0; it has mapped the page itself.
  if (arguments.event_type == KFD_IOC_EVENT_SIGNAL && arguments.event_page_offset == 0)
    arguments.event_page_offset = kEventPageOffset;
  return 0;
}

int EventTable::destroy(uint32_t eventId) {
  const std::lock_guard lock(mutex_);
  if (events_.erase(eventId) == 0)
    return -EINVAL;
  changed_.notify_all();
  return 0;
}

int EventTable::set(uint32_t eventId) {
  {
    const std::lock_guard lock(mutex_);
    Event* event = findLocked(eventId);
    if (event == nullptr)
      return -EINVAL;
    setLocked(*event);
  }
  onSet_();
  return 0;
}

int EventTable::reset(uint32_t eventId) {
  const std::lock_guard lock(mutex_);
  Event* event = findLocked(eventId);
  if (event == nullptr)
    return -EINVAL;
  event->signaled = false;
  return 0;
}

int EventTable::wait(kfd_ioctl_wait_events_args& arguments) {
  const bool all = arguments.wait_for_all != 0;
  onWait_();

  std::unique_lock lock(mutex_);
  const std::vector<Wanted> wanted = startWaitLocked(arguments);
  bool unknown = false;
  const auto done = [&] { return satisfiedLocked(wanted, all, unknown) || unknown; };
  bool complete = true;
  if (arguments.timeout == kForever)
    changed_.wait(lock, done);
  else
    complete = changed_.wait_for(lock, std::chrono::milliseconds(arguments.timeout), done);
  endWaitLocked(wanted);

  if (unknown) {
    arguments.wait_result = KFD_IOC_WAIT_RESULT_FAIL;
    return -EIO;
  }
  arguments.wait_result = complete ? KFD_IOC_WAIT_RESULT_COMPLETE : KFD_IOC_WAIT_RESULT_TIMEOUT;
  if (complete)
    consumeLocked(wanted, all, reinterpret_cast<kfd::EventData*>(arguments.events_ptr));
  return 0;
}

void EventTable::interrupt(uint32_t eventId) {
  static_cast<void>(set(eventId));
}

void EventTable::raiseMemoryException(const kfd_hsa_memory_exception_data& exception) {
  const std::lock_guard lock(mutex_);
  memoryExceptionsAreKnown_ = false;
  for (auto& [eventId, event] : events_) {
    if (event.type != KFD_IOC_EVENT_MEMORY)
      continue;
    event.exception = exception;
    setLocked(event);
  }
}

bool EventTable::memoryExceptionsAreKnown() {
  const std::lock_guard lock(mutex_);
  return memoryExceptionsAreKnown_;
}

EventTable::Event* EventTable::findLocked(uint32_t eventId) {
  const auto found = events_.find(eventId);
  return found == events_.end() ? nullptr : &found->second;
}

void EventTable::setLocked(Event& event) {
  event.signaled = true;
  ++event.age;
  changed_.notify_all();
}

std::vector<EventTable::Wanted>
EventTable::startWaitLocked(const kfd_ioctl_wait_events_args& arguments) {
  const auto* first = reinterpret_cast<const kfd::EventData*>(arguments.events_ptr);
  const std::thread::id thread = std::this_thread::get_id();
  std::vector<Wanted> wanted;
  wanted.reserve(arguments.num_events);
  for (uint32_t i = 0; i < arguments.num_events; ++i) {
    Event* event = findLocked(first[i].eventId);
    uint64_t seen = 0;
    if (event != nullptr && event->autoReset)
      seen = event->ageSeen.try_emplace(thread, Event{}.age).first->second;
    else if (event != nullptr)
      seen = event->age; // nobody consumes its sets
    wanted.push_back({.data = first[i], .ageSeen = seen});
  }
  return wanted;
}

void EventTable::endWaitLocked(const std::vector<Wanted>& wanted) {
  for (const Wanted& one : wanted)
    if (Event* event = findLocked(one.data.eventId))
      event->ageSeen[std::this_thread::get_id()] = event->age;
}

bool EventTable::readyLocked(const Wanted& wanted) {
  const Event* event = findLocked(wanted.data.eventId);
  if (event == nullptr)
    return false;
  // Programs that know no ages pass 0.
  const uint64_t known = event->type == KFD_IOC_EVENT_SIGNAL ? wanted.data.age : 0;
  return event->signaled || event->age != wanted.ageSeen || (known != 0 && known != event->age);
}

bool EventTable::satisfiedLocked(const std::vector<Wanted>& wanted, bool all, bool& unknown) {
  std::size_t ready = 0;
  for (const Wanted& one : wanted) {
    unknown = unknown || findLocked(one.data.eventId) == nullptr;
    ready += readyLocked(one) ? 1 : 0;
  }
  return all ? ready == wanted.size() : ready > 0;
}

void EventTable::consumeLocked(const std::vector<Wanted>& wanted, bool all,
                               kfd::EventData* results) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!all && !readyLocked(wanted[i]))
      continue;
    Event& event = *findLocked(wanted[i].data.eventId);
    if (event.type == KFD_IOC_EVENT_MEMORY) {
      results[i].memoryException = event.exception;
      memoryExceptionsAreKnown_ = true;
    } else if (event.type == KFD_IOC_EVENT_SIGNAL && wanted[i].data.age != 0) {
      results[i].age = event.age;
    }
    if (event.autoReset)
      event.signaled = false;
  }
}

} // namespace gpusim
