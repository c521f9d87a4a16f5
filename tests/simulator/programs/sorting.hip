// Bitonic and radix sort, histogram with LDS atomics, sparse matrix times vector, a stencil.
#include <algorithm>
#include <numeric>

#include "check.h"

__global__ void bitonicStep(unsigned* values, unsigned j, unsigned k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned other = i ^ j;
  if (other > i) {
    const bool up = (i & k) == 0;
    const unsigned a = values[i], b = values[other];
    if ((a > b) == up) {
      values[i] = b;
      values[other] = a;
    }
  }
}

/// One pass over one bit, stable, in one block.
__global__ void radixPass(unsigned* values, unsigned bit) {
  __shared__ unsigned zerosBefore[256];
  __shared__ unsigned sorted[256];
  const unsigned item = threadIdx.x;
  const unsigned value = values[item];
  const bool one = (value >> bit & 1) != 0;
  zerosBefore[item] = one ? 0 : 1;
  __syncthreads();
  for (unsigned step = 1; step < 256; step *= 2) {
    const unsigned add = item >= step ? zerosBefore[item - step] : 0;
    __syncthreads();
    zerosBefore[item] += add;
    __syncthreads();
  }
  const unsigned zeros = zerosBefore[255];
  const unsigned place = one ? zeros + item - zerosBefore[item] : zerosBefore[item] - 1;
  sorted[place] = value;
  __syncthreads();
  values[item] = sorted[item];
}

__global__ void histogram(const unsigned char* data, int count, unsigned* bins) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[data[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void sparse(const int* rows, const int* columns, const double* values, const double* x,
                       double* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    double sum = 0;
    for (int at = rows[row]; at < rows[row + 1]; ++at) {
      sum += values[at] * x[columns[at]];
    }
    y[row] = sum;
  }
}

__constant__ float weights[5];

__global__ void stencil(const float* in, float* out, int n) {
  __shared__ float local[64 + 4];
  const int i = blockIdx.x * 64 + threadIdx.x;
  local[threadIdx.x + 2] = i < n ? in[i] : 0;
  if (threadIdx.x < 2) {
    local[threadIdx.x] = i >= 2 ? in[i - 2] : 0;
    local[threadIdx.x + 66] = i + 64 < n ? in[i + 64] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 5; ++k) {
    sum += weights[k] * local[threadIdx.x + k];
  }
  if (i < n) {
    out[i] = sum;
  }
}

std::vector<unsigned> randomWords(size_t count) {
  Numbers numbers;
  std::vector<unsigned> words(count);
  for (unsigned& word : words) {
    word = numbers.next() * 2 + numbers.next() % 2;
  }
  return words;
}

void checkSorts() {
  auto words = randomWords(1024);
  unsigned* device = toDevice(words);
  for (unsigned k = 2; k <= 1024; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      bitonicStep<<<4, 256>>>(device, j, k);
    }
  }
  const auto bitonic = toHost(device, words.size());
  std::sort(words.begin(), words.end());
  EXPECT(bitonic == words, "bitonic sort");

  auto few = randomWords(256);
  unsigned* small = toDevice(few);
  for (unsigned bit = 0; bit < 32; ++bit) {
    radixPass<<<1, 256>>>(small, bit);
  }
  const auto radix = toHost(small, few.size());
  std::sort(few.begin(), few.end());
  EXPECT(radix == few, "radix sort");
}

void checkHistogram() {
  std::vector<unsigned char> data(10000);
  std::vector<unsigned> expected(256);
  Numbers numbers;
  for (auto& each : data) {
    each = static_cast<unsigned char>(numbers.next() % 256 * (numbers.next() % 2));
    ++expected[each];
  }
  unsigned* bins = deviceZeros<unsigned>(256);
  histogram<<<6, 256>>>(toDevice(data), static_cast<int>(data.size()), bins);
  EXPECT(toHost(bins, 256) == expected, "histogram");
}

void checkSparse() {
  constexpr int n = 300;
  std::vector<int> rows{0}, columns;
  std::vector<double> values, x(n), expected(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i * 0.25;
  }
  for (int row = 0; row < n; ++row) {
    for (int k = 0; k < row % 9; ++k) {
      columns.push_back((row * 31 + k * 17) % n);
      values.push_back(k - 2.5);
      expected[row] += values.back() * x[columns.back()];
    }
    rows.push_back(static_cast<int>(columns.size()));
  }
  double* y = deviceZeros<double>(n);
  sparse<<<5, 64>>>(toDevice(rows), toDevice(columns), toDevice(values), toDevice(x), y, n);
  EXPECT(toHost(y, n) == expected, "sparse matrix times vector");
}

void checkStencil() {
  constexpr int n = 1000;
  const float host[5] = {-1, 2, 0.5, 4, -8};
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(weights), host, sizeof host));
  std::vector<float> in(n);
  std::iota(in.begin(), in.end(), -20.0f);
  float* out = deviceZeros<float>(n);
  stencil<<<(n + 63) / 64, 64>>>(toDevice(in), out, n);
  const auto result = toHost(out, n);
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 5; ++k) {
      const int at = i + k - 2;
      sum += host[k] * (at >= 0 && at < n ? in[at] : 0);
    }
    EXPECT(result[i] == sum, "stencil at %d is %f, not %f", i, result[i], sum);
  }
}

int main() {
  checkSorts();
  checkHistogram();
  checkSparse();
  checkStencil();
}
