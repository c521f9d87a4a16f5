// How the machine is set up. Everything comes from environment variables, so that the settings
// reach every child process the way LD_PRELOAD does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim {

struct GpuModel;

/// AMDGPU_SIMULATOR_GPUS: `architecture[:count]`, comma-separated; default `gfx90a`.
constexpr const char* kGpusVariable = "AMDGPU_SIMULATOR_GPUS";
/// AMDGPU_SIMULATOR_SEED: a number that fixes how the waves of a dispatch interleave; default 0.
constexpr const char* kSeedVariable = "AMDGPU_SIMULATOR_SEED";
/// AMDGPU_SIMULATOR_RESIDENT_WAVES: waves of a dispatch in flight while its workgroups end; default
/// 64. When none ends, more start, as far as the GPU holds them.
constexpr const char* kResidentWavesVariable = "AMDGPU_SIMULATOR_RESIDENT_WAVES";
/// AMDGPU_SIMULATOR_STATS: `1` prints what every kernel did when the process exits.
constexpr const char* kStatisticsVariable = "AMDGPU_SIMULATOR_STATS";
/// AMDGPU_SIMULATOR_TRACE: `packets` prints a line for every packet a queue takes up,
/// `instructions:<name>` one for every instruction of the kernels whose name contains <name>.
constexpr const char* kTraceVariable = "AMDGPU_SIMULATOR_TRACE";
/// AMDGPU_SIMULATOR_BAR: `small` hides all but 256 MiB of a GPU's memory from the CPU, so that
/// copies cannot go past the driver; default `large`.
constexpr const char* kBarVariable = "AMDGPU_SIMULATOR_BAR";

/// AMDGPU_SIMULATOR_WAITS: `active` lets threads poll when the program waits for a signal actively,
/// `blocked` (default) lets them sleep, so that the kernel gets their core.
constexpr const char* kWaitsVariable = "AMDGPU_SIMULATOR_WAITS";
/// AMDGPU_SIMULATOR_LOCAL_MEMORY_OVERRUN: `discard` has DS instructions beyond a workgroup's local
/// memory load 0 and store nothing, `fault` (default) makes them a fault.
constexpr const char* kLocalOverrunVariable = "AMDGPU_SIMULATOR_LOCAL_MEMORY_OVERRUN";

struct Configuration {
  std::vector<const GpuModel*> gpus; ///< empty after an error: the machine has no GPU
  uint64_t seed = 0;
  uint32_t residentWaves = 64;
  bool statistics = false;
  bool tracePackets = false;
  std::string tracedKernel; ///< part of the names of kernels; empty: no instructions are traced
  bool smallBar = false;
  bool keepsWaitHints = false;
  bool discardsLocalOverruns = false;
  std::string error; ///< the first setting that was not understood, or empty
};

/// What AMDGPU_SIMULATOR_TRACE asks for.
struct TraceSetting {
  bool packets = false;
  std::string kernel; ///< see Configuration::tracedKernel
  std::string error;  ///< what is wrong with the text, or empty
};

TraceSetting parseTrace(std::string_view text);

/// Reads the environment. Never fails: a wrong setting leaves no GPUs and an error.
Configuration configurationFromEnvironment();

} // namespace gpusim
