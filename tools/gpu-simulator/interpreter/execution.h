// The waves of one dispatch: admission of workgroups, interleaving, faults.
#pragma once

#include <deque>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code_page.h"
#include "interpreter.h"
#include "launch.h"
#include "memory_view.h"
#include "residency.h"
#include "wave.h"

namespace gpusim {

class Execution final : public KernelExecution {
public:
  Execution(const Dispatch& dispatch, const GuestMemory& memory, ProcessorCode& code,
            const Schedule& schedule);

  Progress run(uint64_t budget) override;
  const Fault& fault() const override { return fault_; }
  ExecutionStatistics statistics() const override { return statistics_; }

  // For handlers.
  MemoryView& memory() noexcept { return memory_; }
  const Dispatch& dispatch() const noexcept { return dispatch_; }
  const Launch& launch() const noexcept { return launch_; }
  const Architecture& architecture() const noexcept { return processor_.architecture(); }
  void countMemoryOperation() noexcept { ++statistics_.memoryOperations; }
  void countAtomic() noexcept { ++statistics_.atomics; }
  /// An instruction that the program does not have (a page sentinel) was counted.
  void uncountInstruction() noexcept { --statistics_.instructions; }

  /// Makes `pc` the wave's next instruction, in whatever page it is.
  Step jump(Wave& wave, uint64_t pc);

  /// Lets the waves go on that wait at a barrier of the dispatch.
  void releaseAll(unsigned syncResource);

  /// How many waves of the dispatch wait there.
  uint32_t waitingFor(unsigned syncResource) const;

  /// Ends the dispatch; `instruction` is the one that could not be executed.
  Step fail(const Wave& wave, const Instruction& instruction, Fault::Kind kind,
            std::string_view why, uint64_t address = 0, bool isWrite = false);
  /// Why the decoder refused the instruction.
  Step refuse(const Wave& wave, const Instruction& instruction);

  uint64_t pcOf(const Wave& wave, const Instruction& instruction) const {
    return wave.page->pcOf(&instruction);
  }

private:
  void start();
  void admit();
  void admitGroup();
  std::unique_ptr<Wave> takeWave();
  void runWave(size_t position, uint64_t quantum);
  template <bool kTraced>
  Step runInstructions(Wave& wave, uint64_t quantum, uint64_t& executed);
  void trace(const Wave& wave, const Instruction& instruction);
  void retire(size_t position);
  void wait(size_t position, std::vector<std::unique_ptr<Wave>>& where);
  void deadlock();
  void releaseBarrier(Workgroup& group);
  void invalidDispatch(std::string_view why);
  /// The kernel as messages begin with it.
  std::string kernelTitle() const;
  const CodePage* enter(uint64_t pc);

  Dispatch dispatch_;
  const GuestMemory& guest_;
  ProcessorCode& processor_;
  DecodedCode* code_ = nullptr; ///< for the waves of this dispatch
  Schedule schedule_;
  MemoryView memory_;
  Launch launch_;
  Residency residency_;
  std::minstd_rand random_;
  bool started_ = false;
  Fault fault_;
  bool faulted_ = false;
  ExecutionStatistics statistics_;
  uint64_t nextGroup_ = 0;
  std::vector<std::unique_ptr<Wave>> runnable_;
  std::vector<std::unique_ptr<Wave>> waiting_;       ///< at barriers
  std::vector<std::unique_ptr<Wave>> waitingForAll_; ///< at barriers of the dispatch
  std::vector<std::unique_ptr<Wave>> spare_;
  std::vector<std::unique_ptr<Workgroup>> groups_;
  std::vector<uint32_t> freeScratchSlots_;
  std::unordered_map<uint64_t, std::shared_ptr<const CodePage>> pages_;
};

/// Handler of the slots after the last of a page.
Step enterNextPage(Wave& wave, const Instruction& instruction);

/// Handler of slots that the decoder refused.
Step refuseInstruction(Wave& wave, const Instruction& instruction);

} // namespace gpusim
