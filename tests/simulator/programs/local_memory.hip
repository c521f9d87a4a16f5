// LDS as samples use it: transpose, tiled matrix product, scan, and dynamic shared memory.
#include "check.h"

constexpr int kTile = 16;

template <typename T>
__global__ void transpose(const T* in, T* out, int width, int height) {
  __shared__ T tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) {
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  if (x < height && y < width) {
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
  }
}

template <typename T>
__global__ void multiply(const T* a, const T* b, T* c, int n) {
  __shared__ T left[kTile][kTile];
  __shared__ T right[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  T sum = 0;
  for (int tile = 0; tile < n / kTile; ++tile) {
    left[y][x] = a[row * n + tile * kTile + x];
    right[y][x] = b[(tile * kTile + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      sum += left[y][k] * right[k][x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// Blelloch's exclusive scan of two elements a work-item.
__global__ void scan(const int* in, int* out, int n) {
  extern __shared__ int values[];
  const int item = threadIdx.x;
  values[2 * item] = in[2 * item];
  values[2 * item + 1] = in[2 * item + 1];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (item < d) {
      values[offset * (2 * item + 2) - 1] += values[offset * (2 * item + 1) - 1];
    }
  }
  if (item == 0) {
    values[n - 1] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (item < d) {
      const int low = offset * (2 * item + 1) - 1, high = offset * (2 * item + 2) - 1;
      const int kept = values[low];
      values[low] = values[high];
      values[high] += kept;
    }
  }
  __syncthreads();
  out[2 * item] = values[2 * item];
  out[2 * item + 1] = values[2 * item + 1];
}

template <typename T>
void checkTranspose() {
  constexpr int kWidth = 53, kHeight = 70;
  std::vector<T> in(kWidth * kHeight);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<T>(i * 7 + 1);
  }
  T* a = toDevice(in);
  T* b = deviceZeros<T>(in.size());
  transpose<T><<<dim3(4, 5), dim3(kTile, kTile)>>>(a, b, kWidth, kHeight);
  const auto out = toHost(b, in.size());
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      EXPECT(out[x * kHeight + y] == in[y * kWidth + x], "transpose at %d, %d", x, y);
    }
  }
}

template <typename T>
void checkMultiply() {
  constexpr int n = 48;
  std::vector<T> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<T>(i % 13 - 6);
    b[i] = static_cast<T>(i % 7 - 3);
  }
  T* c = deviceZeros<T>(n * n);
  multiply<T><<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(toDevice(a), toDevice(b), c, n);
  const auto product = toHost(c, n * n);
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      T expected = 0;
      for (int k = 0; k < n; ++k) {
        expected += a[y * n + k] * b[k * n + x];
      }
      EXPECT(product[y * n + x] == expected, "product at %d, %d", x, y);
    }
  }
}

void checkScan() {
  constexpr int n = 512;
  std::vector<int> in(n);
  Numbers numbers;
  for (int& value : in) {
    value = static_cast<int>(numbers.next() % 100) - 20;
  }
  int* out = deviceZeros<int>(n);
  scan<<<1, n / 2, n * sizeof(int)>>>(toDevice(in), out, n);
  const auto sums = toHost(out, n);
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    EXPECT(sums[i] == expected, "scan at %d is %d, not %d", i, sums[i], expected);
    expected += in[i];
  }
}

int main() {
  checkTranspose<unsigned char>();
  checkTranspose<short>();
  checkTranspose<float>();
  checkTranspose<double>();
  checkMultiply<float>();
  checkMultiply<double>();
  checkMultiply<int>();
  checkMultiply<long long>();
  checkScan();
}
