#include "driver/machine.h"

#include <algorithm>
#include <mutex>

#include "driver/log.h"
#include "driver/runtime_crash.h"

namespace gpusim {
namespace {

std::atomic<Machine*> currentMachine{nullptr};

std::vector<std::unique_ptr<Gpu>> makeGpus(const Configuration& configuration) {
  std::vector<std::unique_ptr<Gpu>> gpus;
  for (const GpuModel* model : configuration.gpus)
    gpus.push_back(std::make_unique<Gpu>(gpus.size(), *model));
  return gpus;
}

} // namespace

Machine& Machine::instance() {
  Machine* machine = currentMachine.load(std::memory_order_acquire);
  if (machine != nullptr)
    return *machine;
  auto* candidate = new Machine;
  if (currentMachine.compare_exchange_strong(machine, candidate, std::memory_order_acq_rel))
    return *candidate;
  delete candidate; // another thread was faster
  return *machine;
}

Machine* Machine::existing() {
  return currentMachine.load(std::memory_order_acquire);
}

void Machine::forget() {
  currentMachine.store(nullptr, std::memory_order_release);
}

Machine::Machine()
    : configuration_(configurationFromEnvironment()), gpus_(makeGpus(configuration_)),
      events_([this] { lookAtDoorbells(); }, [this] { waiters_.wake(); }),
      memory_(store_, storages_, gpus_), queues_(memory_, *this, monitor_), sharedMemory_(gpus_) {
  explainRuntimeCrashes();
  if (!store_.valid())
    logLine("no address space for the memory of the GPUs; opening a device will fail; raise the "
            "limit on virtual memory (`ulimit -v`)");
}

void Machine::raise(uint32_t eventId) {
  events_.interrupt(eventId);
}

void Machine::reportMemoryFault(const Gpu& gpu, const Fault& fault) {
  constexpr uint64_t kPageMask = 4095;
  const MemoryRange range = gpu.memory.find(fault.address);
  const bool readOnly = range.begin != range.end && !range.writable && fault.isWrite;
  kfd_hsa_memory_exception_data exception{};
  exception.va = fault.address & ~kPageMask;
  exception.gpu_id = gpu.gpuId();
  exception.failure.NotPresent = readOnly ? 0 : 1;
  exception.failure.ReadOnly = readOnly ? 1 : 0;
  events_.raiseMemoryException(exception);
}

bool Machine::runtimeTakesExceptions() const {
  return runtimeEnabled_.load();
}

Schedule Machine::schedule() const {
  return {.seed = configuration_.seed,
          .residentWaves = configuration_.residentWaves,
          .units = {}}; // the queue knows its GPU
}

LocalOverrun Machine::localOverrun() const {
  return configuration_.discardsLocalOverruns ? LocalOverrun::Discard : LocalOverrun::Fault;
}

void Machine::recordDispatch(const Gpu& gpu, std::string_view kernel,
                             const ExecutionStatistics& statistics) {
  if (configuration_.statistics)
    statistics_.record(gpu.index, kernel, statistics);
}

bool Machine::tracesPackets() const {
  return configuration_.tracePackets;
}

InstructionTrace* Machine::instructionTrace(std::string_view kernel) {
  const std::string& traced = configuration_.tracedKernel;
  const bool wanted = !traced.empty() && kernel.find(traced) != std::string_view::npos;
  return wanted ? &instructionLog_ : nullptr;
}

bool Machine::setXnackEnabled(bool enabled) {
  const bool possible =
      std::ranges::all_of(gpus_, [](const auto& gpu) { return gpu->model.xnackSwitchable; });
  if (enabled && !possible)
    return false;
  xnackEnabled_.store(enabled);
  return true;
}

} // namespace gpusim
