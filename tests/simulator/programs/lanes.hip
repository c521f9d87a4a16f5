// What lanes of a wave say to each other, and the integer intrinsics programs use with it.
#include "check.h"

constexpr int kLanes = __AMDGCN_WAVEFRONT_SIZE; // the build sets it for host and device

template <typename T>
__device__ T waveSum(T value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_down(value, offset);
  }
  return value;
}

template <typename T>
__global__ void reduce(const T* in, T* out, int n) {
  __shared__ T partial[16];
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += in[i];
  }
  sum = waveSum(sum);
  if (threadIdx.x % warpSize == 0) {
    partial[threadIdx.x / warpSize] = sum;
  }
  __syncthreads();
  if (threadIdx.x < warpSize) {
    sum = threadIdx.x < blockDim.x / warpSize ? partial[threadIdx.x] : T(0);
    sum = waveSum(sum);
    if (threadIdx.x == 0) {
      *out = sum;
    }
  }
}

template <typename T>
__global__ void shuffles(T* out) {
  const int lane = threadIdx.x;
  const T value = T(lane * 10 + 1);
  out[0 * kLanes + lane] = __shfl(value, 5);
  out[1 * kLanes + lane] = __shfl_up(value, 3);
  out[2 * kLanes + lane] = __shfl_down(value, 3);
  out[3 * kLanes + lane] = __shfl_xor(value, 9);
  out[4 * kLanes + lane] = __shfl(value, (lane + 1) % 16, 16);
  out[5 * kLanes + lane] = __shfl_xor(value, kLanes / 2);
}

__global__ void votes(unsigned long long* out) {
  const int lane = threadIdx.x;
  out[lane] = __ballot(lane % 3 == 0);
  out[kLanes + lane] =
      __any(lane == 77) | __any(lane == 7) << 1 | __all(lane < 64) << 2 |
      __all(lane < kLanes - 1) << 3;
  unsigned long long inside = 0;
  if (lane & 1) {
    inside = __ballot(1);
  }
  out[2 * kLanes + lane] = inside;
  out[3 * kLanes + lane] = __lane_id();
  out[4 * kLanes + lane] = __popcll(__ballot(lane % 5 == 0) & __lanemask_lt());
}

constexpr int kBitResults = 16;

template <typename U>
__host__ U reversed(U value) {
  U result = 0;
  for (unsigned bit = 0; bit < 8 * sizeof(U); ++bit) {
    result |= (value >> bit & 1) << (8 * sizeof(U) - 1 - bit);
  }
  return result;
}

__global__ void bits(const unsigned* in, long long* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) {
    return;
  }
  const unsigned a = in[i];
  const unsigned b = in[(i + 1) % n];
  const unsigned long long wide = static_cast<unsigned long long>(a) << 32 | b;
  long long* to = out + i * kBitResults;
  to[0] = __popc(a);
  to[1] = __popcll(wide);
  to[2] = __ffs(static_cast<int>(a));
  to[3] = __ffsll(wide);
  to[4] = __clz(static_cast<int>(a));
  to[5] = __clzll(static_cast<long long>(wide));
  to[6] = __brev(a);
  to[7] = static_cast<long long>(__brevll(wide));
  to[8] = __umulhi(a, b);
  to[9] = __mulhi(static_cast<int>(a), static_cast<int>(b));
  to[10] = static_cast<long long>(__umul64hi(wide, wide));
  to[11] = __byte_perm(a, b, 0x5140);
  to[12] = a / (b | 1);
  to[13] = static_cast<long long>(wide % (b | 1ull));
  to[14] = __usad(a, b, 5u);
  to[15] = __mul24(static_cast<int>(a), static_cast<int>(b));
}

template <typename T>
void checkReduce() {
  constexpr int n = 1000;
  std::vector<T> in(n);
  T expected = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = T(i % 19) - T(4);
    expected += in[i];
  }
  T* out = deviceZeros<T>(1);
  reduce<T><<<1, 256>>>(toDevice(in), out, n);
  EXPECT(toHost(out, 1)[0] == expected, "reduction");
}

template <typename T>
void checkShuffles() {
  T* out = deviceZeros<T>(6 * kLanes);
  shuffles<T><<<1, kLanes>>>(out);
  const auto result = toHost(out, 6 * kLanes);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int sources[6] = {
        5,        lane < 3 ? lane : lane - 3,     lane + 3 < kLanes ? lane + 3 : lane,
        lane ^ 9, (lane & ~15) + (lane + 1) % 16, lane ^ kLanes / 2};
    for (int kind = 0; kind < 6; ++kind) {
      EXPECT(result[kind * kLanes + lane] == T(sources[kind] * 10 + 1), "shuffle %d, lane %d", kind,
             lane);
    }
  }
}

void checkVotes() {
  auto* out = deviceZeros<unsigned long long>(5 * kLanes);
  votes<<<1, kLanes>>>(out);
  const auto result = toHost(out, 5 * kLanes);
  constexpr unsigned long long kOdd = 0xaaaaaaaaaaaaaaaaull >> (64 - kLanes);
  unsigned long long thirds = 0;
  for (int lane = 0; lane < kLanes; lane += 3) {
    thirds |= 1ull << lane;
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    EXPECT(result[lane] == thirds, "ballot");
    EXPECT(result[kLanes + lane] == 6, "any and all: %llu", result[kLanes + lane]);
    EXPECT(result[2 * kLanes + lane] == (lane & 1 ? kOdd : 0), "partial ballot");
    EXPECT(result[3 * kLanes + lane] == static_cast<unsigned>(lane), "lane id");
    EXPECT(result[4 * kLanes + lane] == static_cast<unsigned>((lane + 4) / 5), "rank");
  }
}

void checkBits() {
  const std::vector<unsigned> in{0, 1, 0x80000000, 0xffffffff, 0x00f0f000, 12345678, 0xdeadbeef};
  const int n = static_cast<int>(in.size());
  auto* out = deviceZeros<long long>(n * kBitResults);
  bits<<<1, kLanes>>>(toDevice(in), out, n);
  const auto result = toHost(out, n * kBitResults);
  const auto low24 = [](unsigned value) { return static_cast<int>(value << 8) >> 8; };
  for (int i = 0; i < n; ++i) {
    const unsigned a = in[i], b = in[(i + 1) % n];
    const auto wide = static_cast<unsigned long long>(a) << 32 | b;
    const auto sa = static_cast<int>(a), sb = static_cast<int>(b);
    const unsigned bytes[8] = {a & 255, a >> 8 & 255, a >> 16 & 255, a >> 24,
                               b & 255, b >> 8 & 255, b >> 16 & 255, b >> 24};
    const long long expected[kBitResults] = {
        __builtin_popcount(a),
        __builtin_popcountll(wide),
        __builtin_ffs(sa),
        __builtin_ffsll(static_cast<long long>(wide)),
        a == 0 ? 32 : __builtin_clz(a),
        wide == 0 ? 64 : __builtin_clzll(wide),
        reversed(a),
        static_cast<long long>(reversed(wide)),
        static_cast<long long>(static_cast<unsigned long long>(a) * b >> 32),
        static_cast<long long>(sa) * sb >> 32,
        static_cast<long long>(static_cast<unsigned __int128>(wide) * wide >> 64),
        bytes[0] | bytes[4] << 8 | bytes[1] << 16 | bytes[5] << 24,
        a / (b | 1),
        static_cast<long long>(wide % (b | 1ull)),
        (a > b ? a - b : b - a) + 5u,
        static_cast<int>(static_cast<unsigned>(low24(a)) * static_cast<unsigned>(low24(b)))};
    for (int kind = 0; kind < kBitResults; ++kind) {
      EXPECT(result[i * kBitResults + kind] == expected[kind], "bits %d of %#x: %#llx, not %#llx",
             kind, a, result[i * kBitResults + kind], expected[kind]);
    }
  }
}

int main() {
  checkReduce<int>();
  checkReduce<float>();
  checkReduce<double>();
  checkReduce<long long>();
  checkShuffles<int>();
  checkShuffles<float>();
  checkShuffles<double>();
  checkShuffles<unsigned long long>();
  checkVotes();
  checkBits();
}
