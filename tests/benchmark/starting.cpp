// Starts HSA and prints how many GPUs there are: 0 where the driver is missing.
#include <cstdio>

#include <hsa/hsa.h>

int main() {
  int gpus = 0;
  if (hsa_init() == HSA_STATUS_SUCCESS)
    hsa_iterate_agents(
        [](hsa_agent_t agent, void* count) {
          hsa_device_type_t type{};
          const hsa_status_t status = hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
          *static_cast<int*>(count) += type == HSA_DEVICE_TYPE_GPU ? 1 : 0;
          return status;
        },
        &gpus);
  std::printf("%d\n", gpus);
}
