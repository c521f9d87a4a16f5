#include "hipstat/hipstat.h"

#include "device_array.h"

#include <limits>

namespace hipstat {
namespace {

constexpr unsigned kBlockSize = 128;

struct Sum {
  using Value = double;
  __host__ __device__ static Value identity() { return 0; }
  __host__ __device__ static Value combine(Value a, Value b) { return a + b; }
};

struct Smallest {
  using Value = float;
  __host__ __device__ static Value identity() { return std::numeric_limits<float>::infinity(); }
  __host__ __device__ static Value combine(Value a, Value b) {
    if (b < a)
      return b;
    return a;
  }
};

struct Largest {
  using Value = float;
  __host__ __device__ static Value identity() { return -std::numeric_limits<float>::infinity(); }
  __host__ __device__ static Value combine(Value a, Value b) {
    if (b > a)
      return b;
    return a;
  }
};

/// One partial result per block: each thread folds a strided part, then the block halves in LDS.
template <typename Operation>
__global__ void reduceKernel(const float* values, unsigned count,
                             typename Operation::Value* partial) {
  __shared__ typename Operation::Value shared[kBlockSize];
  typename Operation::Value folded = Operation::identity();
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    folded = Operation::combine(folded, values[i]);
  shared[threadIdx.x] = folded;
  __syncthreads();

  for (unsigned half = kBlockSize / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] = Operation::combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = shared[0];
}

/// Reduces on the device to one value per block; the few that remain are folded on the host.
template <typename Operation>
typename Operation::Value reduce(const DeviceArray<float>& input, unsigned count) {
  const unsigned blocks = (count + 4 * kBlockSize - 1) / (4 * kBlockSize);
  DeviceArray<typename Operation::Value> partial(blocks);
  reduceKernel<Operation><<<blocks, kBlockSize>>>(input.data(), count, partial.data());
  check(hipGetLastError(), "reduceKernel");
  typename Operation::Value result = Operation::identity();
  for (const typename Operation::Value value : partial.toHost())
    result = Operation::combine(result, value);
  return result;
}

} // namespace

Summary summarize(const std::vector<float>& values) {
  if (values.empty())
    return {0, 0, 0};
  const DeviceArray<float> input(values);
  const unsigned count = static_cast<unsigned>(values.size());
  return {reduce<Sum>(input, count), reduce<Smallest>(input, count), reduce<Largest>(input, count)};
}

} // namespace hipstat
