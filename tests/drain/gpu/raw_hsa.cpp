// A program without HIP: it loads a code object through HSA and dispatches `moduleBranch` itself.
//
//   raw-hsa keep|shut-down|twice <code object>
//
// 630 threads in ten blocks of 64, the last one not full, 600 of them below `count`. The reader and
// its buffer are gone before the kernel runs. `shut-down` lets HSA go before the exit, `twice` also
// starts it once more.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

void check(hsa_status_t status, const char* what) {
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
    return;
  std::fprintf(stderr, "%s: 0x%x\n", what, status);
  std::_Exit(90);
}
#define CHECK(call) check(call, #call)

struct Machine {
  hsa_agent_t gpu = {};
  hsa_amd_memory_pool_t hostMemory = {};
};

hsa_status_t findPool(hsa_amd_memory_pool_t pool, void* result) {
  uint32_t flags = 0;
  hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) == 0)
    return HSA_STATUS_SUCCESS;
  *static_cast<hsa_amd_memory_pool_t*>(result) = pool;
  return HSA_STATUS_INFO_BREAK;
}

hsa_status_t findAgent(hsa_agent_t agent, void* result) {
  Machine& machine = *static_cast<Machine*>(result);
  hsa_device_type_t type;
  CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU)
    machine.gpu = agent;
  else
    CHECK(hsa_amd_agent_iterate_memory_pools(agent, findPool, &machine.hostMemory));
  return HSA_STATUS_SUCCESS;
}

template <class T>
T* allocate(const Machine& machine, size_t count) {
  void* memory = nullptr;
  CHECK(hsa_amd_memory_pool_allocate(machine.hostMemory, count * sizeof(T), 0, &memory));
  CHECK(hsa_amd_agents_allow_access(1, &machine.gpu, nullptr, memory));
  std::memset(memory, 0, count * sizeof(T));
  return static_cast<T*>(memory);
}

hsa_executable_t load(const Machine& machine, const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> image{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  CHECK(hsa_code_object_reader_create_from_memory(image.data(), image.size(), &reader));
  CHECK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                  nullptr, &executable));
  CHECK(hsa_executable_load_agent_code_object(executable, machine.gpu, reader, nullptr, nullptr));
  CHECK(hsa_executable_freeze(executable, nullptr));
  CHECK(hsa_code_object_reader_destroy(reader));
  std::memset(image.data(), 0xdd, image.size());
  return executable;
}

void fillPacket(hsa_kernel_dispatch_packet_t& packet, const Machine& machine,
                hsa_executable_symbol_t kernel, hsa_signal_t done) {
  packet.setup = 1;
  packet.workgroup_size_x = 64;
  packet.grid_size_x = 630;
  packet.workgroup_size_y = packet.workgroup_size_z = 1;
  packet.grid_size_y = packet.grid_size_z = 1;
  uint32_t argumentsSize = 0;
  CHECK(hsa_executable_symbol_get_info(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT,
                                       &packet.kernel_object));
  CHECK(hsa_executable_symbol_get_info(kernel,
                                       HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
                                       &packet.private_segment_size));
  CHECK(hsa_executable_symbol_get_info(
      kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &argumentsSize));
  packet.group_segment_size = 0;
  packet.completion_signal = done;
  char* arguments = allocate<char>(machine, argumentsSize);
  int* values = allocate<int>(machine, 630);
  const int count = 600;
  std::memcpy(arguments, &values, sizeof values);
  std::memcpy(arguments + sizeof values, &count, sizeof count);
  packet.kernarg_address = arguments;
}

void dispatch(const Machine& machine, hsa_executable_t executable) {
  hsa_executable_symbol_t kernel;
  hsa_queue_t* queue = nullptr;
  hsa_signal_t done;
  CHECK(hsa_executable_get_symbol_by_name(executable, "moduleBranch.kd", &machine.gpu, &kernel));
  CHECK(hsa_queue_create(machine.gpu, 64, HSA_QUEUE_TYPE_SINGLE, nullptr, nullptr, UINT32_MAX,
                         UINT32_MAX, &queue));
  CHECK(hsa_signal_create(1, 0, nullptr, &done));
  const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
  auto& packet =
      static_cast<hsa_kernel_dispatch_packet_t*>(queue->base_address)[index % queue->size];
  fillPacket(packet, machine, kernel, done);
  const uint16_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                          HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                          HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  __atomic_store_n(&packet.header, header, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
  hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  CHECK(hsa_queue_destroy(queue));
  CHECK(hsa_signal_destroy(done));
}

void runOnce(const char* path) {
  Machine machine;
  CHECK(hsa_init());
  CHECK(hsa_iterate_agents(findAgent, &machine));
  dispatch(machine, load(machine, path));
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3)
    return 2;
  const std::string mode = argv[1];
  runOnce(argv[2]);
  if (mode != "keep")
    CHECK(hsa_shut_down());
  if (mode == "twice") {
    runOnce(argv[2]);
    CHECK(hsa_shut_down());
  }
  return 0;
}
