#include "execution.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstring>
#include <fmt/format.h>

namespace gpusim {

namespace {

/// The longest turn of a wave: short enough that races between waves show, long enough to be cheap.
constexpr uint64_t kMaxQuantum = 64;

/// In indexing mode the marked operands are VGPR numbers relative to M0.
bool applyIndexing(const Wave& wave, const Instruction& instruction, Instruction& indexed) {
  constexpr uint8_t kDestinationBit = 8;
  const uint32_t base = wave.sgpr[scalar::kM0] & 0xff;
  indexed = instruction;
  unsigned source = 0;
  for (unsigned index = 0; index < kMaxOperands; ++index) {
    Operand& operand = indexed.operands[index];
    const bool isUse = instruction.opcode->operands[index].role == Role::Use;
    const uint8_t bit = isUse ? static_cast<uint8_t>(1u << source++) : kDestinationBit;
    if (operand.kind == Operand::Kind::Vector && (wave.indexedOperands & bit) != 0) {
      if (operand.index % 256u + base >= 256) {
        return false;
      }
      operand.index = static_cast<uint16_t>(operand.index + base);
    }
  }
  return true;
}

Step runIndexed(Wave& wave, const Instruction& instruction, Handler run) {
  if (instruction.opcode == nullptr || !instruction.opcode->mnemonic.starts_with("v_")) {
    return run(wave, instruction);
  }
  if ((instruction.opcode->modifiers & kNoIndexing) != 0 || instruction.inner != nullptr) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "not modelled in VGPR indexing mode");
  }
  Instruction indexed;
  if (!applyIndexing(wave, instruction, indexed)) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "a VGPR index in M0 leaves the register file");
  }
  return run(wave, indexed);
}

/// The program's threads may have left any rounding mode; instructions rely on the default.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;
  ~DefaultFloatEnvironment() { std::fesetenv(&saved_); }

private:
  std::fenv_t saved_;
};

/// Moves the waves for which `belongs` holds from `from` to `to`.
template <class Predicate>
void moveWaves(std::vector<std::unique_ptr<Wave>>& from, std::vector<std::unique_ptr<Wave>>& to,
               const Predicate& belongs) {
  for (size_t index = 0; index < from.size();) {
    if (!belongs(*from[index])) {
      ++index;
      continue;
    }
    to.push_back(std::move(from[index]));
    from[index] = std::move(from.back());
    from.pop_back();
  }
}

} // namespace

Execution::Execution(const Dispatch& dispatch, const GuestMemory& memory, ProcessorCode& code,
                     const Schedule& schedule)
    : dispatch_(dispatch), guest_(memory), processor_(code), schedule_(schedule), memory_(memory),
      random_(static_cast<std::minstd_rand::result_type>(schedule.seed ^ schedule.seed >> 32)) {
  dispatch_.architecture = code.architecture().name;
}

std::string Execution::kernelTitle() const {
  return dispatch_.kernel.empty() ? fmt::format("kernel at {:#x}", dispatch_.packet.kernel_object)
                                  : fmt::format("kernel `{}`", dispatch_.kernel);
}

void Execution::invalidDispatch(std::string_view why) {
  faulted_ = true;
  fault_.kind = Fault::Kind::InvalidDispatch;
  fault_.pc = launch_.entry;
  fault_.address = dispatch_.packet.kernel_object;
  fault_.message = fmt::format("{}: {}", kernelTitle(), why);
}

void Execution::start() {
  started_ = true;
  memory_.refresh();
  launch_ = prepareLaunch(dispatch_, processor_.architecture(), memory_);
  if (!launch_.problem.empty()) {
    return invalidDispatch(launch_.problem);
  }
  code_ = &processor_.forWaves(launch_.lanes);
  if (!code_->decoder().valid()) {
    return invalidDispatch("LLVM's disassembler does not know the processor");
  }
  if (launch_.entry % 4 != 0 || enter(launch_.entry) == nullptr) {
    return invalidDispatch(fmt::format("its entry {:#x} is not in mapped memory", launch_.entry));
  }
  residency_ = Residency(schedule_, launch_, processor_.architecture());
  if (launch_.usesScratch) {
    for (uint32_t slot = dispatch_.scratch.slots; slot > 0; --slot) {
      freeScratchSlots_.push_back(slot - 1);
    }
  }
}

const CodePage* Execution::enter(uint64_t pc) {
  const uint64_t base = pc & ~(CodePage::kBytes - 1);
  std::shared_ptr<const CodePage>& page = pages_[base];
  if (!page) {
    page = code_->page(pc, guest_);
  }
  return page.get();
}

Step Execution::jump(Wave& wave, uint64_t pc) {
  const uint64_t from = wave.page->pcOf(wave.next);
  const CodePage* page = wave.page;
  if (!page->contains(pc)) {
    page = enter(pc);
  }
  if (page == nullptr || pc % 4 != 0) {
    faulted_ = true;
    fault_.kind = Fault::Kind::MemoryViolation;
    fault_.pc = pc;
    fault_.address = pc;
    fault_.message = fmt::format("{}: jump from before {:#x} to {:#x}: {}", kernelTitle(), from, pc,
                                 page == nullptr ? "no code is mapped there" : "not aligned");
    return Step::Faulted;
  }
  wave.page = page;
  wave.next = page->slot(pc);
  return Step::Continue;
}

Step Execution::fail(const Wave& wave, const Instruction& instruction, Fault::Kind kind,
                     std::string_view why, uint64_t address, bool isWrite) {
  faulted_ = true;
  // In indexing mode handlers see a copy, so the slot is found from what follows it.
  const Instruction* slot = wave.next - instruction.dwords;
  const uint64_t pc = wave.page->pcOf(slot);
  fault_.kind = kind;
  fault_.pc = pc;
  fault_.address = address;
  fault_.isWrite = isWrite;
  const std::string text = code_->decoder().text(wave.page->from(pc), pc);
  fault_.message = fmt::format("{}, pc {:#x}: `{}`: {}", kernelTitle(), pc, text, why);
  return Step::Faulted;
}

Step Execution::refuse(const Wave& wave, const Instruction& instruction) {
  const uint64_t pc = wave.page->pcOf(&instruction);
  const auto code = wave.page->from(pc);
  Instruction scratch;
  Handler handler = nullptr;
  const Refusal refusal = code_->decoder().decode(code, pc, scratch, handler);
  faulted_ = true;
  fault_.kind = refusal.kind == Refusal::Kind::Illegal ? Fault::Kind::IllegalInstruction
                                                       : Fault::Kind::Unsupported;
  fault_.pc = pc;
  fault_.address = pc;
  std::string bytes;
  for (size_t index = 0; index < std::min<size_t>(code.size(), 8); ++index) {
    bytes += fmt::format("{:02x}", std::to_integer<unsigned>(code[index]));
  }
  fault_.message =
      fmt::format("{}, pc {:#x}: {} (bytes {})", kernelTitle(), pc, refusal.message, bytes);
  return Step::Faulted;
}

std::unique_ptr<Wave> Execution::takeWave() {
  if (spare_.empty()) {
    return std::unique_ptr<Wave>(new Wave);
  }
  std::unique_ptr<Wave> wave = std::move(spare_.back());
  spare_.pop_back();
  return wave;
}

void Execution::admitGroup() {
  auto group = std::make_unique<Workgroup>();
  const uint64_t number = nextGroup_++;
  group->id[0] = static_cast<uint32_t>(number % launch_.groups[0]);
  group->id[1] = static_cast<uint32_t>(number / launch_.groups[0] % launch_.groups[1]);
  group->id[2] = static_cast<uint32_t>(number / launch_.groups[0] / launch_.groups[1]);
  group->lds.resize(launch_.ldsBytes);
  const auto extent = groupExtent(launch_, group->id);
  group->liveWaves = (extent[0] * extent[1] * extent[2] + launch_.lanes - 1) / launch_.lanes;
  for (uint32_t index = 0; index < group->liveWaves; ++index) {
    std::unique_ptr<Wave> wave = takeWave();
    wave->group = group.get();
    wave->execution = this;
    wave->idInGroup = index;
    wave->scratchSlot = 0;
    if (launch_.usesScratch) {
      wave->scratchSlot = freeScratchSlots_.back();
      freeScratchSlots_.pop_back();
    }
    initializeWave(*wave, launch_, dispatch_, processor_.architecture());
    wave->page = enter(launch_.entry);
    wave->next = wave->page->slot(launch_.entry);
    runnable_.push_back(std::move(wave));
  }
  statistics_.waves += group->liveWaves;
  groups_.push_back(std::move(group));
}

void Execution::admit() {
  while (nextGroup_ < launch_.totalGroups()) {
    const bool noScratch = launch_.usesScratch && freeScratchSlots_.size() < launch_.wavesPerGroup;
    if (noScratch || !residency_.admits(groups_.size())) {
      return;
    }
    admitGroup();
  }
}

void Execution::retire(size_t position) {
  std::unique_ptr<Wave> wave = std::move(runnable_[position]);
  runnable_[position] = std::move(runnable_.back());
  runnable_.pop_back();
  Workgroup* group = wave->group;
  if (launch_.usesScratch) {
    freeScratchSlots_.push_back(wave->scratchSlot);
  }
  spare_.push_back(std::move(wave));
  if (--group->liveWaves == 0) {
    std::erase_if(groups_, [&](const auto& each) { return each.get() == group; });
  } else {
    releaseBarrier(*group);
  }
}

/// Lets the group go on when all its live waves have arrived.
void Execution::releaseBarrier(Workgroup& group) {
  if (group.waitingWaves == 0 || group.waitingWaves < group.liveWaves) {
    return;
  }
  group.waitingWaves = 0;
  moveWaves(waiting_, runnable_, [&](const Wave& wave) { return wave.group == &group; });
}

void Execution::releaseAll(unsigned syncResource) {
  moveWaves(waitingForAll_, runnable_,
            [&](const Wave& wave) { return wave.syncResource == syncResource; });
}

uint32_t Execution::waitingFor(unsigned syncResource) const {
  return static_cast<uint32_t>(
      std::count_if(waitingForAll_.begin(), waitingForAll_.end(),
                    [&](const auto& wave) { return wave->syncResource == syncResource; }));
}

void Execution::wait(size_t position, std::vector<std::unique_ptr<Wave>>& where) {
  where.push_back(std::move(runnable_[position]));
  runnable_[position] = std::move(runnable_.back());
  runnable_.pop_back();
}

/// A GPU would wait for ever.
void Execution::deadlock() {
  const Wave& wave = *waitingForAll_.front();
  faulted_ = true;
  fault_.kind = Fault::Kind::Unsupported;
  fault_.pc = wave.page->pcOf(wave.next);
  fault_.address = fault_.pc;
  fault_.message = fmt::format("{}, before pc {:#x}: {} waves wait at a barrier of "
                               "the whole dispatch that no other wave can reach",
                               kernelTitle(), fault_.pc, waitingForAll_.size());
}

void Execution::trace(const Wave& wave, const Instruction& instruction) {
  const uint64_t pc = wave.page->pcOf(&instruction);
  if (!wave.page->contains(pc)) {
    return; // a sentinel that leads to the next page
  }
  const std::string text = code_->decoder().text(wave.page->from(pc), pc);
  dispatch_.trace->executing({.group = {wave.group->id[0], wave.group->id[1], wave.group->id[2]},
                              .wave = wave.idInGroup,
                              .pc = pc,
                              .exec = wave.exec(),
                              .text = text});
}

template <bool kTraced>
Step Execution::runInstructions(Wave& wave, uint64_t quantum, uint64_t& executed) {
  Step step = Step::Continue;
  while (executed < quantum && step == Step::Continue) {
    const Instruction& instruction = *wave.next;
    // The handler is published last; a null one has not been decoded yet.
    Handler run = __atomic_load_n(&instruction.run, __ATOMIC_ACQUIRE);
    if (run == nullptr) [[unlikely]] {
      run = wave.page->decode(&instruction, code_->decoder());
    }
    if constexpr (kTraced) {
      trace(wave, instruction);
    }
    wave.next = &instruction + instruction.dwords;
    ++executed;
    step = wave.indexedOperands == 0 ? run(wave, instruction) : runIndexed(wave, instruction, run);
  }
  return step;
}

void Execution::runWave(size_t position, uint64_t quantum) {
  Wave& wave = *runnable_[position];
  uint64_t executed = 0;
  const Step step = dispatch_.trace == nullptr ? runInstructions<false>(wave, quantum, executed)
                                               : runInstructions<true>(wave, quantum, executed);
  statistics_.instructions += executed;
  if (step == Step::Ended) {
    retire(position);
  } else if (step == Step::Wait) {
    Workgroup* group = wave.group;
    ++group->waitingWaves;
    wait(position, waiting_);
    releaseBarrier(*group);
  } else if (step == Step::WaitAll) {
    wait(position, waitingForAll_);
  }
}

KernelExecution::Progress Execution::run(uint64_t budget) {
  const DefaultFloatEnvironment environment;
  if (!started_) {
    start();
  }
  uint64_t spent = 0;
  while (!faulted_) {
    admit();
    if (runnable_.empty()) {
      if (waitingForAll_.empty()) {
        return Progress::Finished;
      }
      if (nextGroup_ < launch_.totalGroups() && residency_.grow()) {
        continue;
      }
      deadlock();
      break;
    }
    if (spent >= budget) {
      return Progress::Running;
    }
    const size_t position = random_() % runnable_.size();
    const uint64_t quantum = std::min<uint64_t>(1 + random_() % kMaxQuantum, budget - spent);
    const uint64_t before = statistics_.instructions;
    const size_t groups = groups_.size();
    runWave(position, quantum);
    const uint64_t executed = std::max<uint64_t>(1, statistics_.instructions - before);
    residency_.ran(executed, groups_.size() < groups);
    spent += executed;
  }
  return Progress::Faulted;
}

Step enterNextPage(Wave& wave, const Instruction& instruction) {
  wave.execution->uncountInstruction();
  return wave.execution->jump(wave, wave.execution->pcOf(wave, instruction));
}

Step refuseInstruction(Wave& wave, const Instruction& instruction) {
  return wave.execution->refuse(wave, instruction);
}

std::unique_ptr<CodeCache> makeCodeCache(std::string_view architecture) {
  const Architecture* found = findArchitecture(architecture);
  return found == nullptr ? nullptr : std::make_unique<ProcessorCode>(*found);
}

std::unique_ptr<KernelExecution> startDispatch(const Dispatch& dispatch, const GuestMemory& memory,
                                               CodeCache& code, const Schedule& schedule) {
  return std::make_unique<Execution>(dispatch, memory, static_cast<ProcessorCode&>(code), schedule);
}

} // namespace gpusim
