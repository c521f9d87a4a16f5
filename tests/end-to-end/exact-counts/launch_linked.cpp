#include "counted.h"
#include "launch.h"

hipError_t launchCounted(unsigned blocks, unsigned threads, const CountedArguments& arguments) {
  countedKernel<<<blocks, threads>>>(arguments.input, arguments.count, arguments.steps,
                                     arguments.total);
  return hipGetLastError();
}
