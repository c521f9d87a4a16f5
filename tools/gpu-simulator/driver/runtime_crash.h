// HIP releases older than the compiler crash on what it makes of some programs. The program still
// ends as it does on a GPU, but not without a word on what it asked for.
#pragma once

namespace gpusim {

/// Has a crash within HIP's library reported with its cause, when the queues show a known one.
void explainRuntimeCrashes();

} // namespace gpusim
