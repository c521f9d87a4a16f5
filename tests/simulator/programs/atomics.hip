// Atomic operations of every kind and width, in global, local and managed memory.
#include <algorithm>

#include "check.h"

constexpr int kBlocks = 6;
constexpr int kThreads = 192;
constexpr int kItems = kBlocks * kThreads;

template <typename T>
struct Totals {
  T add, subtract, minimum, maximum, bitAnd, bitOr, bitXor, swapped;
};

template <typename T>
__global__ void integers(Totals<T>* totals) {
  const T item = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&totals->add, item);
  atomicMin(&totals->minimum, item * 3 + 5);
  atomicMax(&totals->maximum, item * 3 + 5);
  atomicAnd(&totals->bitAnd, ~(T(1) << (item % (8 * sizeof(T)))));
  atomicOr(&totals->bitOr, T(1) << (item % (8 * sizeof(T))));
  atomicXor(&totals->bitXor, item * 77);
  atomicExch(&totals->swapped, item);
}

__global__ void counters(unsigned* up, unsigned* down, int* less, unsigned* seen) {
  atomicInc(up, 99);
  atomicDec(down, 99);
  atomicSub(less, 3);
  const unsigned old = atomicAdd(&seen[0], 1u);
  atomicOr(&seen[1 + old / 32], 1u << old % 32);
}

template <typename T>
__global__ void floats(T* direct, T* looped, T* local) {
  __shared__ T sum;
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  const T value = T(1) / 4 * (threadIdx.x % 8);
  atomicAdd(direct, value);
  atomicAdd(&sum, value);
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  Word* word = reinterpret_cast<Word*>(looped);
  Word old = *word, assumed;
  do {
    assumed = old;
    const T updated = __builtin_bit_cast(T, assumed) + value;
    old = atomicCAS(word, assumed, __builtin_bit_cast(Word, updated));
  } while (old != assumed);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(local, sum);
  }
}

template <typename T>
__global__ void localIntegers(T* out) {
  __shared__ T add, low, high, bits, last;
  if (threadIdx.x == 0) {
    add = 0;
    low = 1000;
    high = 0;
    bits = 0;
    last = 7;
  }
  __syncthreads();
  const T item = static_cast<T>(threadIdx.x);
  atomicAdd(&add, item);
  atomicMin(&low, item + 11);
  atomicMax(&high, item + 11);
  atomicXor(&bits, item);
  atomicCAS(&last, T(7), item);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = add;
    out[1] = low;
    out[2] = high;
    out[3] = bits;
    out[4] = last;
  }
}

/// A lock, as programs write them when one lane of a wave takes it.
__global__ void locked(int* lock, int* shared) {
  if (threadIdx.x % 64 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    const int value = *static_cast<volatile int*>(shared);
    *static_cast<volatile int*>(shared) = value + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

/// The last block to finish adds up what all wrote.
__global__ void lastBlock(int* partial, unsigned* finished, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    __threadfence();
    last = atomicAdd(finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) {
      sum += static_cast<volatile int*>(partial)[block];
    }
    *total = sum;
  }
}

__global__ void scoped(unsigned* words) {
  __hip_atomic_fetch_add(&words[0], 2u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_fetch_max(&words[1], threadIdx.x, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_store(&words[2], 9u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  atomicAdd_system(&words[3], 1u);
}

template <typename T>
void checkIntegers() {
  Totals<T>* device = toDevice(std::vector<Totals<T>>{{0, 0, 1000000, 0, T(~T(0)), 0, 0, 0}});
  integers<T><<<kBlocks, kThreads>>>(device);
  const Totals<T> totals = toHost(device, 1)[0];
  T sum = 0, mixed = 0;
  for (int i = 0; i < kItems; ++i) {
    sum += T(i);
    mixed ^= T(i) * 77;
  }
  EXPECT(totals.add == sum, "add");
  EXPECT(totals.minimum == 5 && totals.maximum == T(kItems - 1) * 3 + 5, "minimum and maximum");
  EXPECT(totals.bitAnd == 0 && totals.bitOr == T(~T(0)) && totals.bitXor == mixed, "bits");
  EXPECT(totals.swapped < T(kItems), "swap");

  T* out = deviceZeros<T>(5);
  localIntegers<T><<<1, kThreads>>>(out);
  const auto local = toHost(out, 5);
  T bits = 0;
  for (int i = 0; i < kThreads; ++i) {
    bits ^= T(i);
  }
  EXPECT(local[0] == kThreads * (kThreads - 1) / 2 && local[1] == 11, "local add and minimum");
  EXPECT(local[2] == kThreads + 10 && local[3] == bits && local[4] < kThreads, "local rest");
}

template <typename T>
void checkFloats() {
  T* sums = deviceZeros<T>(3);
  floats<T><<<kBlocks, kThreads>>>(sums, sums + 1, sums + 2);
  const auto result = toHost(sums, 3);
  const T expected = T(kItems) / 8 * 7; // 0 + 0.25 + ... + 1.75 for each eight items
  for (const T sum : result) {
    EXPECT(sum == expected, "sum is %f, not %f", double(sum), double(expected));
  }
}

void checkCounters() {
  unsigned* words = toDevice(std::vector<unsigned>{0, 0});
  int* less = deviceZeros<int>(1);
  unsigned* seen = deviceZeros<unsigned>(1 + kItems / 32);
  counters<<<kBlocks, kThreads>>>(words, words + 1, less, seen);
  const auto result = toHost(words, 2);
  EXPECT(result[0] == kItems % 100, "inc is %u", result[0]);
  EXPECT(result[1] == (100 - kItems % 100) % 100, "dec is %u", result[1]);
  EXPECT(toHost(less, 1)[0] == -3 * kItems, "sub");
  const auto all = toHost(seen, 1 + kItems / 32);
  EXPECT(std::all_of(all.begin() + 1, all.end(), [](unsigned w) { return w == ~0u; }),
         "an old value was returned twice");
}

void checkOrder() {
  int* words = deviceZeros<int>(2);
  locked<<<kBlocks, kThreads>>>(words, words + 1);
  EXPECT(toHost(words, 2)[1] == kItems / 64, "increments under a lock");

  int* partial = deviceZeros<int>(kBlocks + 1);
  unsigned* finished = deviceZeros<unsigned>(1);
  lastBlock<<<kBlocks, 64>>>(partial, finished, partial + kBlocks);
  EXPECT(toHost(partial, kBlocks + 1)[kBlocks] == kBlocks * (kBlocks + 1) / 2, "last block");

  unsigned* managed = nullptr;
  HIP_OK(hipMallocManaged(&managed, 4 * sizeof(unsigned)));
  std::fill_n(managed, 4, 0u);
  scoped<<<kBlocks, kThreads>>>(managed);
  HIP_OK(hipDeviceSynchronize());
  EXPECT(managed[0] == 2 * kItems && managed[1] == kThreads - 1, "scoped add and maximum");
  EXPECT(managed[2] == 9 && managed[3] == kItems, "scoped store and add");
}

int main() {
  checkIntegers<int>();
  checkIntegers<unsigned>();
  checkIntegers<unsigned long long>();
  checkFloats<float>();
  checkFloats<double>();
  checkCounters();
  checkOrder();
}
