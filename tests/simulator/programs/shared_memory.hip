// Memory and events shared between processes (hipIpc): both see one buffer, and one waits for the other's kernel.
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kCount = 5000;

__global__ void fill(int* data, int first) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) {
    data[i] = first + i;
  }
}

template <typename Value>
void send(int pipe, const Value& value) {
  EXPECT(write(pipe, &value, sizeof value) == static_cast<ssize_t>(sizeof value), "pipe");
}

template <typename Value>
Value receive(int pipe) {
  Value value;
  EXPECT(read(pipe, &value, sizeof value) == static_cast<ssize_t>(sizeof value), "pipe");
  return value;
}

void expectSequence(const int* device, int first) {
  const std::vector<int> host = toHost(device, kCount);
  for (int i = 0; i < kCount; ++i) {
    EXPECT(host[i] == first + i, "element %d is %d", i, host[i]);
  }
}

/// Opens what the parent sends, on each device in turn, and answers with values of its own.
void importer(int in, int out) {
  int devices = 0;
  HIP_OK(hipGetDeviceCount(&devices));
  for (int device = 0; device < devices; ++device) {
    HIP_OK(hipSetDevice(device));
    const auto handle = receive<hipIpcMemHandle_t>(in);
    int* data = nullptr;
    HIP_OK(hipIpcOpenMemHandle(reinterpret_cast<void**>(&data), handle,
                               hipIpcMemLazyEnablePeerAccess));
    hipEvent_t filled;
    HIP_OK(hipIpcOpenEventHandle(&filled, receive<hipIpcEventHandle_t>(in)));
    HIP_OK(hipStreamWaitEvent(nullptr, filled, 0));
    expectSequence(data, 1000 + device);
    fill<<<(kCount + 255) / 256, 256>>>(data, 7000 + device);
    HIP_OK(hipDeviceSynchronize());
    HIP_OK(hipIpcCloseMemHandle(data));
    HIP_OK(hipEventDestroy(filled));
    send(out, device);
  }
}

void exporter(int in, int out) {
  int devices = 0;
  HIP_OK(hipGetDeviceCount(&devices));
  for (int device = 0; device < devices; ++device) {
    HIP_OK(hipSetDevice(device));
    int* data = deviceZeros<int>(kCount);
    hipEvent_t filled;
    HIP_OK(hipEventCreateWithFlags(&filled, hipEventDisableTiming | hipEventInterprocess));
    hipIpcMemHandle_t handle;
    HIP_OK(hipIpcGetMemHandle(&handle, data));
    send(out, handle);
    fill<<<(kCount + 255) / 256, 256>>>(data, 1000 + device);
    HIP_OK(hipEventRecord(filled));
    hipIpcEventHandle_t event;
    HIP_OK(hipIpcGetEventHandle(&event, filled));
    send(out, event);
    EXPECT(receive<int>(in) == device, "the other process answered for another device");
    expectSequence(data, 7000 + device);
    HIP_OK(hipEventDestroy(filled));
    HIP_OK(hipFree(data));
  }
}

} // namespace

int main() {
  int toChild[2], toParent[2];
  EXPECT(pipe(toChild) == 0 && pipe(toParent) == 0, "pipes");
  // Before the first use of HIP: a child cannot use its parent's GPUs.
  const pid_t child = fork();
  if (child == 0) {
    close(toChild[1]);
    importer(toChild[0], toParent[1]);
    return 0;
  }
  close(toParent[1]);
  exporter(toParent[0], toChild[1]);
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "the child ended with %d", status);
}
