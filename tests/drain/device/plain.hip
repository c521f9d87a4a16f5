#include "minimal_hip.h"

__global__ void store(int* value) { *value = 1; }
