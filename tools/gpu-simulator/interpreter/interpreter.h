// The border between the modelled machine (queues, packets, driver) and the instruction
// interpreter.
//
// The machine turns an AQL kernel dispatch packet into a `Dispatch` and steps a `KernelExecution`
// until it is finished or has faulted. The interpreter knows nothing of files, ioctls or ROCr; the
// machine knows nothing of instructions. Both sides can therefore be tested alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <hsa/hsa.h>

namespace gpusim {

/// One contiguous piece of the GPU's virtual address space and where its bytes live in this
/// process.
struct MemoryRange {
  uint64_t begin = 0;        ///< first GPU virtual address
  uint64_t end = 0;          ///< one past the last; `begin == end` means "nothing is mapped here"
  std::byte* host = nullptr; ///< the byte at `begin`
  bool writable = false;
};

/// The virtual memory of one GPU. Implementations are thread-safe: every queue asks concurrently.
class GuestMemory {
public:
  virtual ~GuestMemory() = default;

  /// The mapping that holds `address`, or an empty range. Callers cache the answer.
  virtual MemoryRange find(uint64_t address) const = 0;

  /// Changes whenever a mapping was removed or lost rights; cached ranges of an older generation
  /// must be dropped.
  virtual uint64_t generation() const noexcept = 0;
};

/// Where the private segments ("scratch") of a dispatch live: one slot per resident wave.
struct ScratchArea {
  uint64_t base = 0;         ///< GPU virtual address of slot 0
  uint64_t bytesPerWave = 0; ///< size of a slot
  uint32_t slots = 0;        ///< how many waves may be resident with scratch; 0: no scratch
};

/// Where a kernel's interrupts go (s_sendmsg MSG_INTERRUPT: hostcall and device-side signals).
class InterruptSink {
public:
  virtual ~InterruptSink() = default;

  /// `eventId` is what the wave put into m0. Thread-safe.
  virtual void raise(uint32_t eventId) = 0;
};

/// The barriers of whole dispatches (global wave sync, GWS) of one queue. One dispatch prepares
/// them for the next.
struct GlobalWaveSync {
  static constexpr uint32_t kResources = 64;
  /// How many waves must still arrive before the one that opens the barrier.
  std::array<uint32_t, kResources> missing{};
  /// How many waves may still pass the semaphore.
  std::array<uint32_t, kResources> permits{};
};

/// An instruction that a wave is about to execute.
struct TracedInstruction {
  std::array<uint32_t, 3> group{}; ///< workgroup id
  uint32_t wave = 0;               ///< of the workgroup
  uint64_t pc = 0;
  uint64_t exec = 0;     ///< the lanes that take part
  std::string_view text; ///< assembler text
};

/// Where the instructions of a traced dispatch go.
class InstructionTrace {
public:
  virtual ~InstructionTrace() = default;

  /// Called by the thread that runs the dispatch, in the order of execution.
  virtual void executing(const TracedInstruction& instruction) = 0;
};

/// What becomes of DS instructions whose address lies beyond the workgroup's local memory.
enum class LocalOverrun {
  Fault,   ///< an aperture violation: hardly any program means it
  Discard, ///< as in hardware: loads and atomics return 0, nothing is stored
};

/// One kernel dispatch, as the packet processor hands it over.
struct Dispatch {
  std::string_view architecture;         ///< "gfx90a": bare, without target-ID features
  std::string kernel;                    ///< its name, for messages; empty: its address will do
  hsa_kernel_dispatch_packet_t packet{}; ///< a copy; `packet.kernel_object` is the descriptor
  uint64_t packetAddress = 0;            ///< GPU address of the packet in its ring (dispatch_ptr)
  uint64_t queueAddress = 0;             ///< GPU address of the amd_queue_t (queue_ptr)
  uint64_t dispatchId = 0;               ///< index of the packet in its queue (dispatch_id)
  ScratchArea scratch;
  uint64_t sharedAperture = 0;  ///< base of the LDS window in the flat address space
  uint64_t privateAperture = 0; ///< base of the scratch window in the flat address space
  /// Grows whenever the queue's program had instruction caches invalidated (ROCr does so after it
  /// wrote new code, perhaps at an address that held other code before): code decoded under a
  /// smaller number must be decoded again.
  uint64_t codeGeneration = 0;
  GlobalWaveSync* waveSync = nullptr;  ///< outlives the execution; null: the queue has no GWS
  InterruptSink* interrupts = nullptr; ///< outlives the execution; null: interrupts are dropped
  LocalOverrun localOverrun = LocalOverrun::Fault;
  InstructionTrace* trace = nullptr;   ///< outlives the execution; null: nothing is traced
};

/// Why a dispatch could not go on. The machine reports it through the queue, as hardware would.
struct Fault {
  enum class Kind {
    MemoryViolation,    ///< `address` is not mapped, or not writable
    ApertureViolation,  ///< local memory overrun, or an atomic at an unaligned `address`
    IllegalInstruction, ///< the bytes at `pc` are no instruction of this architecture
    Unsupported,        ///< a valid instruction or form that the simulator does not model
    Trap,               ///< s_trap: an assertion of the program (`address` holds the trap ID)
    InvalidDispatch,    ///< the descriptor or the packet asks for what the machine does not have
  };
  Kind kind = Kind::Unsupported;
  uint64_t pc = 0;
  uint64_t address = 0;
  bool isWrite = false;
  std::string message; ///< for a person: kernel, address, instruction text, and what is wrong
};

/// What a GPU has to run waves on.
struct ComputeUnits {
  uint32_t count = 110;
  uint32_t simds = 4; ///< of one unit
  uint32_t wavesPerSimd = 8;
  uint32_t localMemoryBytes = 65536; ///< of one unit
};

/// How waves are chosen and how many are live at once.
struct Schedule {
  uint64_t seed = 0;           ///< same seed, same interleaving of the waves of a dispatch
  uint32_t residentWaves = 64; ///< waves in flight while workgroups end; see Residency
  ComputeUnits units;          ///< no more workgroups are in flight than these hold
};

/// What a dispatch did; all are totals over its waves.
struct ExecutionStatistics {
  uint64_t waves = 0;
  uint64_t instructions = 0; ///< wave-instructions
  uint64_t memoryOperations = 0;
  uint64_t atomics = 0;
};

/// Decoded code of one GPU, shared by its queues. Thread-safe. Kept until process exit (leaked on
/// purpose: copies in exit handlers still run kernels).
class CodeCache {
public:
  virtual ~CodeCache() = default;
};

/// A cache for `architecture`; null when the interpreter does not model it.
std::unique_ptr<CodeCache> makeCodeCache(std::string_view architecture);

/// The waves of one dispatch, run step by step by the thread of its queue.
class KernelExecution {
public:
  enum class Progress { Running, Finished, Faulted };

  virtual ~KernelExecution() = default;

  /// Executes about `budget` wave-instructions, waves interleaved as the schedule says.
  /// `Running` means: call again. After `Faulted`, `fault()` says why and run() must not be called.
  virtual Progress run(uint64_t budget) = 0;

  virtual const Fault& fault() const = 0;
  virtual ExecutionStatistics statistics() const = 0;
};

/// Lanes of the waves that run the kernel with the descriptor at `kernelObject`: 32 or 64.
uint32_t lanesOfWaves(const GuestMemory& memory, uint64_t kernelObject);

/// Never null: a dispatch that cannot be started faults on the first run().
std::unique_ptr<KernelExecution> startDispatch(const Dispatch& dispatch, const GuestMemory& memory,
                                               CodeCache& code, const Schedule& schedule);

} // namespace gpusim
