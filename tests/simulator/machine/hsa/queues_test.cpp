// Queues: packets run in order, wait for what they name, and tell when they are done.

#include <thread>

#include "hsa_machine.h"

using Queues = HsaTest;

TEST_F(Queues, FirstPacketOfAFreshQueueRuns) {
  TestQueue queue(gpus_[0]);
  const hsa_signal_t done = makeSignal(1);
  // Its doorbell value is 0, which is what the doorbell held before.
  ASSERT_EQ(0u, queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done)));
  waitForZero(done);
  EXPECT_EQ(1u, hsa_queue_load_read_index_scacquire(queue.get()));
}

TEST_F(Queues, RingsWrapManyTimes) {
  TestQueue queue(gpus_[0], 64);
  const hsa_signal_t done = makeSignal(1000);
  for (int i = 0; i < 1000; ++i)
    queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done));
  waitForZero(done);
  EXPECT_EQ(1000u, hsa_queue_load_read_index_scacquire(queue.get()));
}

TEST_F(Queues, BarrierAndWaitsForAllAndBarrierOrForOne) {
  TestQueue andQueue(gpus_[0]), orQueue(gpus_[0]);
  const hsa_signal_t first = makeSignal(1), second = makeSignal(1);
  const hsa_signal_t andDone = makeSignal(1), orDone = makeSignal(1);
  andQueue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, andDone, {first, second}));
  orQueue.submit(barrier(HSA_PACKET_TYPE_BARRIER_OR, orDone, {first, second}));
  EXPECT_EQ(1, hsa_signal_load_scacquire(orDone));
  hsa_signal_store_screlease(second, 0);
  waitForZero(orDone);
  EXPECT_EQ(1, hsa_signal_load_scacquire(andDone)) << "one of its two signals is still open";
  hsa_signal_store_screlease(first, 0);
  waitForZero(andDone);
}

TEST_F(Queues, BarrierValueComparesUnderItsMask) {
  TestQueue queue(gpus_[0]);
  const hsa_signal_t watched = makeSignal(0x10), done = makeSignal(1);
  hsa_amd_barrier_value_packet_t packet{};
  packet.header.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC << HSA_PACKET_HEADER_TYPE;
  packet.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
  packet.signal = watched;
  packet.value = 0x4;
  packet.mask = 0xf;
  packet.cond = HSA_SIGNAL_CONDITION_EQ;
  packet.completion_signal = done;
  queue.submit(packet);
  hsa_signal_store_screlease(watched, 0x25);
  EXPECT_EQ(1, hsa_signal_load_scacquire(done));
  hsa_signal_store_screlease(watched, 0x34);
  waitForZero(done);
}

TEST_F(Queues, TwoQueuesThatWaitForEachOtherBothProceed) {
  TestQueue first(gpus_[0]), second(gpus_.back());
  const hsa_signal_t ping = makeSignal(1), pong = makeSignal(1), done = makeSignal(1);
  first.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done, {pong}));
  second.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, pong, {ping}));
  hsa_signal_store_screlease(ping, 0);
  waitForZero(done);
}

TEST_F(Queues, TimesOfAPacketLieBetweenSubmissionAndCompletion) {
  TestQueue queue(gpus_[0]);
  HSA_OK(hsa_amd_profiling_set_profiler_enabled(queue.get(), 1));
  const hsa_signal_t done = makeSignal(1);
  uint64_t before = 0, after = 0;
  HSA_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before));
  const hsa_signal_t open = makeSignal(1);
  queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done, {open}));
  hsa_signal_store_screlease(open, 0);
  waitForZero(done);
  HSA_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after));
  hsa_amd_profiling_dispatch_time_t times{};
  HSA_OK(hsa_amd_profiling_get_dispatch_time(gpus_[0], done, &times));
  // The GPU's clock ticks every 10 ns.
  EXPECT_GE(times.start + 20, before);
  EXPECT_LE(times.start, times.end);
  EXPECT_LE(times.end, after + 20);
}

TEST_F(Queues, CompletionWakesAHandlerThatSleeps) {
  TestQueue queue(gpus_[0]);
  const hsa_signal_t done = makeSignal(1), handled = makeSignal(1);
  HSA_OK(hsa_amd_signal_async_handler(
      done, HSA_SIGNAL_CONDITION_EQ, 0,
      [](hsa_signal_value_t, void* data) {
        hsa_signal_store_screlease(*static_cast<hsa_signal_t*>(data), 0);
        return false;
      },
      const_cast<hsa_signal_t*>(&handled)));
  queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done));
  waitForZero(handled);
}

TEST_F(Queues, DestroyingAQueueGivesUpItsWaitingPacket) {
  const hsa_signal_t never = makeSignal(1), done = makeSignal(1);
  {
    TestQueue queue(gpus_[0]);
    queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done, {never}));
  }
  EXPECT_EQ(1, hsa_signal_load_scacquire(done));
}

TEST_F(Queues, ManyThreadsShareAQueue) {
  TestQueue queue(gpus_[0], 64);
  const hsa_signal_t done = makeSignal(400);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int packet = 0; packet < 100; ++packet)
        queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done));
    });
  for (std::thread& thread : threads)
    thread.join();
  waitForZero(done);
}
