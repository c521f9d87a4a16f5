// Recursion, private arrays, lambdas and an interpreter on the device.
#include "check.h"

__device__ __attribute__((noinline)) unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __attribute__((noinline)) int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recurse(unsigned* out) {
  out[2 * threadIdx.x] = fibonacci(threadIdx.x % 12);
  out[2 * threadIdx.x + 1] = static_cast<unsigned>(ackermann(2, threadIdx.x % 4));
}

template <int kSize, typename T>
struct Table {
  T value[kSize];
  __device__ T& operator[](int index) { return value[index]; }
};

/// Indexed by values known at run time only, so that the array lives in private memory.
template <typename T>
__global__ void privateArray(const int* order, T* out, int n) {
  Table<32, T> table;
  for (int i = 0; i < 32; ++i) {
    table[order[i]] = T(i + threadIdx.x);
  }
  T sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = sum * 3 + table[(i * 7 + threadIdx.x) % 32];
  }
  out[threadIdx.x] = sum;
}

/// Atomics in private memory: the compiler knows no better through a generic pointer.
__device__ __attribute__((noinline)) void bump(unsigned long long* wide, unsigned* narrow) {
  atomicAdd(wide, 0x100000001ull);
  atomicMax(narrow, 17u);
}
__global__ void privateAtomics(unsigned long long* out) {
  unsigned long long wide = 0xffffffffull + threadIdx.x;
  unsigned narrow = threadIdx.x;
  bump(&wide, &narrow);
  out[threadIdx.x] = wide + narrow;
}

template <typename Function>
__global__ void apply(int* out, Function function) {
  out[threadIdx.x] = function(static_cast<int>(threadIdx.x));
}

template <typename T>
__host__ __device__ T interpret(const unsigned char* program, T x) {
  T stack[16];
  int top = 0;
  for (;; ++program) {
    switch (*program) {
    case 0:
      return stack[top - 1];
    case 1:
      stack[top++] = x;
      break;
    case 2:
      --top;
      stack[top - 1] += stack[top];
      break;
    case 3:
      --top;
      stack[top - 1] *= stack[top];
      break;
    case 4:
      stack[top] = stack[top - 1];
      ++top;
      break;
    case 5:
      stack[top - 1] = -stack[top - 1];
      break;
    case 6:
      stack[top - 1] = stack[top - 1] < 0 ? T(0) : stack[top - 1] + 1;
      break;
    default:
      stack[top++] = T(*program);
      break;
    }
  }
}
__global__ void virtualMachine(const unsigned char* program, double* out) {
  out[threadIdx.x] = interpret(program, static_cast<double>(threadIdx.x));
}

void checkCalls() {
  unsigned* recursive = deviceZeros<unsigned>(128);
  recurse<<<1, 64>>>(recursive);
  const auto numbers = toHost(recursive, 128);
  const unsigned expected[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int i = 0; i < 64; ++i) {
    EXPECT(numbers[2 * i] == expected[i % 12], "fibonacci of %d", i % 12);
    EXPECT(numbers[2 * i + 1] == 2u * (i % 4) + 3, "ackermann of %d", i % 4);
  }
}

template <typename T>
void checkPrivateArray() {
  std::vector<int> order(32);
  for (int i = 0; i < 32; ++i) {
    order[i] = i * 5 % 32;
  }
  T* out = deviceZeros<T>(100);
  privateArray<T><<<1, 100>>>(toDevice(order), out, 20);
  const auto result = toHost(out, 100);
  for (int item = 0; item < 100; ++item) {
    T table[32], sum = 0;
    for (int i = 0; i < 32; ++i) {
      table[order[i]] = T(i + item);
    }
    for (int i = 0; i < 20; ++i) {
      sum = sum * 3 + table[(i * 7 + item) % 32];
    }
    EXPECT(result[item] == sum, "private array of item %d", item);
  }
}

void checkRest() {
  auto* words = deviceZeros<unsigned long long>(64);
  privateAtomics<<<1, 64>>>(words);
  const auto sums = toHost(words, 64);
  int* ints = deviceZeros<int>(64);
  const int scale = 5;
  apply<<<1, 64>>>(ints, [scale](int x) { return x * scale - 1; });
  const auto applied = toHost(ints, 64);
  const std::vector<unsigned char> program{1, 4, 3, 200, 5, 2, 6, 1, 2, 0};
  double* doubles = deviceZeros<double>(64);
  virtualMachine<<<1, 64>>>(toDevice(program), doubles);
  const auto interpreted = toHost(doubles, 64);
  for (int i = 0; i < 64; ++i) {
    const unsigned long long wide = 0xffffffffull + i + 0x100000001ull;
    EXPECT(sums[i] == wide + (i < 17 ? 17 : i), "private atomics: %#llx", sums[i]);
    EXPECT(applied[i] == i * 5 - 1, "lambda");
    EXPECT(interpreted[i] == interpret(program.data(), double(i)), "interpreter");
  }
}

int main() {
  checkCalls();
  checkPrivateArray<char>();
  checkPrivateArray<short>();
  checkPrivateArray<int>();
  checkPrivateArray<double>();
  checkRest();
}
