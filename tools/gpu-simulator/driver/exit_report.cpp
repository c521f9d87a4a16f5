// Prints the statistics when the process ends.

#include "driver/machine.h"

namespace {

__attribute__((destructor)) void printStatistics() {
  const gpusim::Machine* machine = gpusim::Machine::existing();
  if (machine != nullptr && machine->configuration().statistics)
    machine->statistics().print();
}

} // namespace
