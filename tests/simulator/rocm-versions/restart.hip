// ROCr may be started again after its shutdown.
#include <cstdio>

#include <hsa/hsa.h>

namespace {

hsa_status_t countGpu(hsa_agent_t agent, void* gpus) {
  hsa_device_type_t type{};
  const hsa_status_t status = hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
  *static_cast<int*>(gpus) += type == HSA_DEVICE_TYPE_GPU ? 1 : 0;
  return status;
}

/// A life of the runtime; whether all of it worked.
bool live() {
  int gpus = 0;
  const hsa_status_t started = hsa_init();
  const hsa_status_t listed =
      started == HSA_STATUS_SUCCESS ? hsa_iterate_agents(countGpu, &gpus) : started;
  const hsa_status_t ended = started == HSA_STATUS_SUCCESS ? hsa_shut_down() : started;
  std::printf("started 0x%x, listed 0x%x, ended 0x%x, GPUs %d\n", started, listed, ended, gpus);
  return started == HSA_STATUS_SUCCESS && listed == started && ended == started && gpus == 1;
}

} // namespace

int main() {
  return live() && live() && live() ? 0 : 1;
}
