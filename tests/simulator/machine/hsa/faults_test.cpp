// Faults: what the machine cannot do reaches the program as an error of its queue or as a memory
// fault, never as a completion.

#include "hsa_machine.h"

using Faults = HsaTest;

namespace {

hsa_kernel_dispatch_packet_t dispatch(hsa_signal_t completion) {
  hsa_kernel_dispatch_packet_t packet{};
  packet.header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE;
  packet.setup = 1;
  packet.workgroup_size_x = packet.workgroup_size_y = packet.workgroup_size_z = 1;
  packet.grid_size_x = packet.grid_size_y = packet.grid_size_z = 1;
  packet.completion_signal = completion;
  return packet;
}

} // namespace

TEST_F(Faults, APacketOfAnUnknownTypeStopsTheQueue) {
  TestQueue queue(gpus_[0]);
  const hsa_signal_t done = makeSignal(1);
  auto packet = barrier(HSA_PACKET_TYPE_AGENT_DISPATCH, done);
  packet.header = 6;
  queue.submit(packet);
  EXPECT_EQ(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, queue.waitForError());
  EXPECT_EQ(1, hsa_signal_load_scacquire(done));
}

TEST_F(Faults, AVendorPacketOfAnUnknownFormatStopsTheQueue) {
  TestQueue queue(gpus_[0]);
  hsa_amd_barrier_value_packet_t packet{};
  packet.header.AmdFormat = 77;
  queue.submit(packet);
  EXPECT_EQ(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, queue.waitForError());
}

TEST_F(Faults, AStoppedQueueTakesNoFurtherPacket) {
  TestQueue queue(gpus_[0]);
  const hsa_signal_t done = makeSignal(1);
  auto packet = barrier(HSA_PACKET_TYPE_BARRIER_AND, done);
  packet.header = 6;
  queue.submit(packet);
  queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done));
  queue.waitForError();
  TestQueue other(gpus_[0]);
  const hsa_signal_t otherDone = makeSignal(1);
  other.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, otherDone));
  waitForZero(otherDone);
  EXPECT_EQ(1, hsa_signal_load_scacquire(done));
}

TEST_F(Faults, ADispatchWithoutAKernelIsAnInvalidCodeObject) {
  TestQueue queue(gpus_[0]);
  queue.submit(dispatch(makeSignal(1)));
  EXPECT_EQ(HSA_STATUS_ERROR_INVALID_CODE_OBJECT, queue.waitForError());
}

TEST_F(Faults, ADispatchOfSizeZeroHasInvalidDimensions) {
  TestQueue queue(gpus_[0]);
  auto packet = dispatch(makeSignal(1));
  packet.grid_size_y = 0;
  queue.submit(packet);
  EXPECT_EQ(HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, queue.waitForError());
}

TEST_F(Faults, AWorkgroupThatNoComputeUnitHoldsIsRefused) {
  TestQueue queue(gpus_[0]);
  auto packet = dispatch(makeSignal(1));
  packet.workgroup_size_x = 1025;
  queue.submit(packet);
  EXPECT_EQ(HSA_STATUS_ERROR_INVALID_ARGUMENT, queue.waitForError());
}

TEST_F(Faults, MoreLocalMemoryThanThereIsIsRefused) {
  TestQueue queue(gpus_[0]);
  auto packet = dispatch(makeSignal(1));
  packet.group_segment_size = 65537;
  queue.submit(packet);
  EXPECT_EQ(HSA_STATUS_ERROR_INVALID_ALLOCATION, queue.waitForError());
}

TEST_F(Faults, AMemoryFaultIsReportedAndStopsTheQueuesOfItsGpuAlone) {
  TestQueue queue(gpus_[0]);
  TestQueue sameGpu(gpus_[0]);
  TestQueue otherGpu(gpus_[1]);
  const hsa_signal_t fault = makeSignal(0);
  HSA_OK(hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t* event, void* data) {
        const auto* signal = static_cast<const hsa_signal_t*>(data);
        if (event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT)
          hsa_signal_store_screlease(
              *signal, static_cast<hsa_signal_value_t>(event->memory_fault.virtual_address));
        return HSA_STATUS_SUCCESS;
      },
      const_cast<hsa_signal_t*>(&fault)));
  const hsa_signal_t done = makeSignal(1);
  auto packet = dispatch(done);
  packet.kernel_object = 0x123456789000;
  queue.submit(packet);
  hsa_signal_wait_scacquire(fault, HSA_SIGNAL_CONDITION_NE, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  EXPECT_EQ(0x123456789000, hsa_signal_load_scacquire(fault));
  const hsa_signal_t otherDone = makeSignal(1);
  sameGpu.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done));
  otherGpu.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, otherDone));
  waitForZero(otherDone);
  EXPECT_EQ(1, hsa_signal_load_scacquire(done));
}
