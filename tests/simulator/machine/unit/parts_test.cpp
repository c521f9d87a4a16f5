// Parts of the machine on their own.

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "driver/address_space.h"
#include "driver/backing_store.h"
#include "driver/gpu_list.h"
#include "driver/gpu_model.h"
#include "driver/host_waiters.h"
#include "driver/kfd_events.h"
#include "packets/doorbell_monitor.h"

using namespace gpusim;

TEST(HostWaiters, ASleeperLooksAgainWhenItIsWokenAndWhenNobodyWakesIt) {
  HostWaiters waiters;
  std::atomic<bool> isAsleep{false};
  std::atomic<bool> isDone{false};
  std::thread sleeper([&] {
    waiters.sleepUntil([&] {
      isAsleep = true;
      return isDone.load();
    });
  });
  while (!isAsleep)
    std::this_thread::yield();
  isDone = true;
  sleeper.join(); // within a millisecond, without a word
  std::thread woken([&] { waiters.sleepUntil([&] { return !isDone.load(); }); });
  isDone = false;
  waiters.wake();
  woken.join();
}

namespace {

class CountingListener : public DoorbellListener {
public:
  void doorbell() override { ++looks_; }
  void waitForALook() const {
    while (looks_ == 0)
      std::this_thread::yield();
  }

private:
  std::atomic<int> looks_{0};
};

} // namespace

TEST(DoorbellMonitor, AQueueThatComesWhenThereWasNoneIsLookedAt) {
  auto& monitor = *new DoorbellMonitor; // as the machine's, its thread never ends
  for (int round = 0; round < 10; ++round) {
    CountingListener listener;
    monitor.add(listener);
    listener.waitForALook(); // for ever if the monitor went to sleep
    monitor.remove(listener);
    std::this_thread::sleep_for(std::chrono::milliseconds(2)); // so that it does
  }
}

TEST(GpuList, CountsAndOrderAreKept) {
  const GpuList list = parseGpuList("gfx908,gfx90a:2");
  EXPECT_EQ("", list.error);
  ASSERT_EQ(3u, list.gpus.size());
  EXPECT_EQ("gfx908", list.gpus[0]->name);
  EXPECT_EQ("gfx90a", list.gpus[1]->name);
  EXPECT_EQ(list.gpus[1], list.gpus[2]);
}

TEST(GpuList, WhatIsWrongIsNamed) {
  const auto errorOf = [](std::string_view text) { return parseGpuList(text).error; };
  EXPECT_NE(std::string::npos, errorOf("gfx1").find("`gfx1` is not modelled"));
  EXPECT_NE(std::string::npos, errorOf("gfx90a:0").find("count `0` in `gfx90a:0`"));
  EXPECT_NE(std::string::npos, errorOf("gfx90a:x").find("`x`"));
  EXPECT_NE(std::string::npos, errorOf("gfx90a:17").find("more than 16 GPUs"));
  EXPECT_NE("", errorOf(""));
  EXPECT_NE("", errorOf("gfx90a,"));
  EXPECT_NE("", errorOf("gfx90a:99999999999999999999"));
}

TEST(GpuModels, FiguresAreConsistent) {
  for (const GpuModel& model : knownGpuModels()) {
    EXPECT_EQ(0u, model.simdCount % model.simdPerCu) << model.name;
    EXPECT_LE(model.computeUnits(), model.arrayCount * model.cuPerSimdArray) << model.name;
    EXPECT_EQ(0u, model.arrayCount % model.simdArraysPerEngine) << model.name;
    EXPECT_EQ(&model, findGpuModel(model.name));
  }
}

TEST(AddressSpace, FindsTheRangeThatHoldsAnAddress) {
  std::vector<std::byte> host(0x3000);
  AddressSpace space;
  space.map(0x10000, 0x2000, host.data(), true);
  EXPECT_EQ(host.data() + 0x1fff, translate(space, 0x11fff, 1, true));
  EXPECT_EQ(nullptr, translate(space, 0x11fff, 2, false)) << "reaches over the end";
  EXPECT_EQ(nullptr, translate(space, 0x12000, 1, false));
  EXPECT_EQ(nullptr, translate(space, 0xffff, 1, false));
}

TEST(AddressSpace, ReadOnlyRangesTakeNoStores) {
  std::vector<std::byte> host(0x1000);
  AddressSpace space;
  space.map(0x10000, 0x1000, host.data(), false);
  EXPECT_NE(nullptr, translate(space, 0x10000, 8, false));
  EXPECT_EQ(nullptr, translate(space, 0x10000, 8, true));
}

TEST(AddressSpace, UnmappingTheMiddleKeepsBothEnds) {
  std::vector<std::byte> host(0x3000);
  AddressSpace space;
  space.map(0x10000, 0x3000, host.data(), true);
  const uint64_t before = space.generation();
  space.unmap(0x11000, 0x1000);
  EXPECT_NE(before, space.generation()) << "cached ranges must be dropped";
  EXPECT_EQ(host.data() + 0xfff, translate(space, 0x10fff, 1, true));
  EXPECT_EQ(nullptr, translate(space, 0x11000, 1, true));
  EXPECT_EQ(host.data() + 0x2000, translate(space, 0x12000, 1, true));
}

TEST(AddressSpace, ANewMappingReplacesWhatItCovers) {
  std::vector<std::byte> old(0x2000), fresh(0x1000);
  AddressSpace space;
  space.map(0x10000, 0x2000, old.data(), true);
  space.map(0x11000, 0x1000, fresh.data(), true);
  EXPECT_EQ(old.data(), translate(space, 0x10000, 1, true));
  EXPECT_EQ(fresh.data(), translate(space, 0x11000, 1, true));
}

TEST(BackingStore, ReleasedMemoryIsReusedAndZeroed) {
  BackingStore store;
  ASSERT_TRUE(store.valid());
  const uint64_t first = store.allocate(5000);
  const uint64_t second = store.allocate(4096);
  ASSERT_NE(0u, first);
  EXPECT_EQ(first + 8192, second) << "sizes are rounded up to pages";
  *store.at(first) = std::byte{1};
  store.release(first, 5000);
  store.release(second, 4096);
  const uint64_t again = store.allocate(12288);
  EXPECT_EQ(first, again) << "neighbours were joined";
  EXPECT_EQ(std::byte{0}, *store.at(again));
}

TEST(BackingStore, AllocationsStayOutOfTheDoorbells) {
  BackingStore store;
  EXPECT_GE(store.allocate(4096), BackingStore::doorbellOffset(kMaxGpus - 1) + 8192);
  EXPECT_EQ(0u, store.allocate(uint64_t{1} << 60));
}

namespace {

class Events : public testing::Test {
protected:
  uint32_t create(bool autoReset, uint32_t type = KFD_IOC_EVENT_SIGNAL) {
    kfd_ioctl_create_event_args arguments{};
    arguments.event_type = type;
    arguments.auto_reset = autoReset ? 1 : 0;
    EXPECT_EQ(0, table_.create(arguments));
    return arguments.event_id;
  }

  /// Waits without patience: whether the events were ready.
  bool ready(std::vector<kfd::EventData>& events, bool all = false) {
    kfd_ioctl_wait_events_args arguments{};
    arguments.events_ptr = reinterpret_cast<uint64_t>(events.data());
    arguments.num_events = static_cast<uint32_t>(events.size());
    arguments.wait_for_all = all ? 1 : 0;
    EXPECT_EQ(0, table_.wait(arguments));
    return arguments.wait_result == KFD_IOC_WAIT_RESULT_COMPLETE;
  }

  static kfd::EventData event(uint32_t eventId, uint64_t age = 0) {
    kfd::EventData data{};
    data.age = age;
    data.eventId = eventId;
    return data;
  }

  int sets_ = 0;
  EventTable table_{[] {}, [this] { ++sets_; }};
};

} // namespace

TEST_F(Events, AutomaticResetConsumesOneSet) {
  std::vector events{event(create(true))};
  EXPECT_FALSE(ready(events));
  table_.interrupt(events[0].eventId);
  EXPECT_TRUE(ready(events));
  EXPECT_FALSE(ready(events));
}

TEST_F(Events, ASetBeforeTheWaitCountsThoughAnotherWaiterConsumedIt) {
  std::vector events{event(create(true))};
  EXPECT_FALSE(ready(events));
  table_.interrupt(events[0].eventId);
  std::thread([this, events]() mutable { EXPECT_TRUE(ready(events)); }).join();
  EXPECT_TRUE(ready(events)) << "it had looked at the signal before the set, and would sleep for ever";
  EXPECT_FALSE(ready(events));
}

TEST_F(Events, ManualResetHoldsForThreadsThatHaveNotWaited) {
  std::vector events{event(create(false))};
  table_.interrupt(events[0].eventId);
  EXPECT_EQ(0, table_.reset(events[0].eventId));
  EXPECT_FALSE(ready(events));
}

TEST_F(Events, ManualResetStaysUntilReset) {
  std::vector events{event(create(false))};
  table_.interrupt(events[0].eventId);
  EXPECT_TRUE(ready(events));
  EXPECT_TRUE(ready(events));
  EXPECT_EQ(0, table_.reset(events[0].eventId));
  EXPECT_FALSE(ready(events));
}

TEST_F(Events, AgesTellAWaiterOfSetsItSleptThrough) {
  std::vector events{event(create(true), 1)};
  EXPECT_FALSE(ready(events)) << "an event starts at age 1";
  table_.interrupt(events[0].eventId);
  EXPECT_TRUE(ready(events));
  EXPECT_EQ(2u, events[0].age) << "the age is written back";
  EXPECT_FALSE(ready(events));
  events[0].age = 1;
  EXPECT_TRUE(ready(events)) << "consumed by another waiter, but this one has not seen it";
}

TEST_F(Events, EachSetOfAnEventIsTold) {
  const uint32_t eventId = create(true);
  EXPECT_EQ(0, table_.set(eventId));
  EXPECT_NE(0, table_.set(eventId + 1));
  EXPECT_EQ(1, sets_);
}

TEST_F(Events, WaitingForAllNeedsAll) {
  std::vector events{event(create(false)), event(create(false))};
  table_.interrupt(events[0].eventId);
  EXPECT_TRUE(ready(events));
  EXPECT_FALSE(ready(events, true));
  table_.interrupt(events[1].eventId);
  EXPECT_TRUE(ready(events, true));
}

TEST_F(Events, MemoryExceptionsCarryTheirAddress) {
  std::vector events{event(create(true, KFD_IOC_EVENT_MEMORY))};
  kfd_hsa_memory_exception_data exception{};
  exception.va = 0x123000;
  exception.gpu_id = 77;
  EXPECT_TRUE(table_.memoryExceptionsAreKnown());
  table_.raiseMemoryException(exception);
  EXPECT_FALSE(table_.memoryExceptionsAreKnown());
  ASSERT_TRUE(ready(events));
  EXPECT_TRUE(table_.memoryExceptionsAreKnown());
  EXPECT_EQ(0x123000u, events[0].memoryException.va);
  EXPECT_EQ(77u, events[0].memoryException.gpu_id);
}

TEST_F(Events, ASleeperWakesWhenItsEventIsDestroyed) {
  const uint32_t eventId = create(true);
  std::vector events{event(eventId)};
  kfd_ioctl_wait_events_args arguments{};
  arguments.events_ptr = reinterpret_cast<uint64_t>(events.data());
  arguments.num_events = 1;
  arguments.timeout = UINT32_MAX;
  int result = 0;
  std::thread sleeper([&] { result = table_.wait(arguments); });
  table_.destroy(eventId);
  sleeper.join();
  EXPECT_EQ(-EIO, result);
}
