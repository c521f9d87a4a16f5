// What generated programs are made of: values of every type that a thread has, operations whose
// results C++ and IEEE 754 define to the bit, and the comparison of what the GPU and the host
// computed.
//
// A program is a few phases, each a function for host and device; between them the threads exchange
// values.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <hip/hip_runtime.h>

#define BOTH_SIDES __host__ __device__

namespace random_program {

using Half = _Float16;
typedef Half Half2 __attribute__((ext_vector_type(2)));
typedef float Float2 __attribute__((ext_vector_type(2)));
typedef int16_t Short2 __attribute__((ext_vector_type(2)));

constexpr int kThreads = 128; // of a workgroup
constexpr int kGroups = 3;
constexpr int kInputs = 256;
constexpr int kOwnWords = 16; // of global memory, and of local memory, of a thread

/// The variables of a thread.
struct State {
  uint32_t u[6];
  uint64_t w[3];
  uint16_t s[3];
  uint8_t b[3];
  float f[4];
  double d[3];
  Half h[3];
  Half2 p[2];
  Float2 q[2];
  Short2 t[2];
};

/// The memory that a thread reaches.
struct Memory {
  const uint32_t* in; ///< kInputs words, for all threads
  uint32_t* own;      ///< global memory of this thread alone
  uint32_t* local;    ///< local memory of this thread alone
};

// Integers. Signed overflow, division by zero and wide shifts are defined away.

template <typename T>
BOTH_SIDES T shiftLeft(T a, uint32_t by) {
  return static_cast<T>(a << (by & (8 * sizeof(T) - 1)));
}
template <typename T>
BOTH_SIDES T shiftRight(T a, uint32_t by) {
  return static_cast<T>(a >> (by & (8 * sizeof(T) - 1)));
}
template <typename T>
BOTH_SIDES T rotate(T a, uint32_t by) {
  return static_cast<T>(shiftLeft(a, by) | shiftRight(a, 0u - by));
}
template <typename T>
BOTH_SIDES T divide(T a, T b) {
  return b == 0 ? a : static_cast<T>(a / b);
}
template <typename T>
BOTH_SIDES T remainder(T a, T b) {
  return b == 0 ? a : static_cast<T>(a % b);
}
template <typename Signed, typename T>
BOTH_SIDES T divideSigned(T a, T b) {
  const auto divisor = static_cast<Signed>(b);
  return divisor == 0 || divisor == -1 ? a : static_cast<T>(static_cast<Signed>(a) / divisor);
}
template <typename Signed, typename T>
BOTH_SIDES T remainderSigned(T a, T b) {
  const auto divisor = static_cast<Signed>(b);
  return divisor == 0 || divisor == -1 ? a : static_cast<T>(static_cast<Signed>(a) % divisor);
}
template <typename T>
BOTH_SIDES T lesser(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
BOTH_SIDES T greater(T a, T b) {
  return a > b ? a : b;
}
BOTH_SIDES inline uint32_t multiplyHigh(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t{a} * b >> 32);
}
BOTH_SIDES inline uint32_t multiplyHighSigned(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b) >> 32);
}
BOTH_SIDES inline uint32_t leadingZeros(uint32_t a) {
  return a == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(a));
}
BOTH_SIDES inline uint32_t trailingZeros(uint64_t a) {
  return a == 0 ? 64 : static_cast<uint32_t>(__builtin_ctzll(a));
}
template <typename T>
BOTH_SIDES T addWithCarry(T a, T b, uint32_t& carries) {
  T sum;
  carries += __builtin_add_overflow(a, b, &sum) ? 1 : 0;
  return sum;
}
template <typename T>
BOTH_SIDES T subtractWithBorrow(T a, T b, uint32_t& borrows) {
  T difference;
  borrows += __builtin_sub_overflow(a, b, &difference) ? 1 : 0;
  return difference;
}

// Floating point.

/// `a` with the sign of `b`, which for no number is not defined.
template <typename T>
BOTH_SIDES T withSign(T a, T b) {
  return b == b ? __builtin_elementwise_copysign(a, b) : a;
}
BOTH_SIDES inline Half fused(Half a, Half b, Half c) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_fmaf16(a, b, c);
#else
  return static_cast<Half>(static_cast<__float128>(a) * static_cast<__float128>(b) +
                           static_cast<__float128>(c)); // exact but for the last step
#endif
}
BOTH_SIDES inline float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
BOTH_SIDES inline double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
BOTH_SIDES inline float squareRoot(float a) {
  return __builtin_sqrtf(a);
}
BOTH_SIDES inline double squareRoot(double a) {
  return __builtin_sqrt(a);
}
BOTH_SIDES inline float scaled(float a, uint32_t by) {
  return __builtin_ldexpf(a, static_cast<int>(by % 300) - 150);
}
BOTH_SIDES inline double scaled(double a, uint32_t by) {
  return __builtin_ldexp(a, static_cast<int>(by % 2200) - 1100);
}
/// The nearest integer below, where `T` has it; 7 otherwise.
template <typename T, typename Float>
BOTH_SIDES T toInteger(Float a, double low, double high) {
  const auto wide = static_cast<double>(a);
  return wide > low && wide < high ? static_cast<T>(a) : T{7};
}
BOTH_SIDES inline uint32_t toUint32(float a) {
  return toInteger<uint32_t>(a, -1, 4294967296.0);
}
BOTH_SIDES inline uint32_t toUint32(double a) {
  return toInteger<uint32_t>(a, -1, 4294967296.0);
}
BOTH_SIDES inline uint32_t toInt32(float a) {
  return static_cast<uint32_t>(toInteger<int32_t>(a, -2147483648.0, 2147483648.0));
}
BOTH_SIDES inline uint32_t toInt32(double a) {
  return static_cast<uint32_t>(toInteger<int32_t>(a, -2147483649.0, 2147483648.0));
}
BOTH_SIDES inline uint64_t toUint64(float a) {
  return toInteger<uint64_t>(a, -1, 18446744073709551616.0);
}
BOTH_SIDES inline uint64_t toInt64(double a) {
  return static_cast<uint64_t>(
      toInteger<int64_t>(a, -9223372036854775808.0, 9223372036854775808.0));
}
template <typename To, typename From>
BOTH_SIDES To bitsAs(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
/// A number of those bits; what would be no number is 1.
template <typename Float, typename Bits>
BOTH_SIDES Float numberOf(Bits bits) {
  const auto number = bitsAs<Float>(bits);
  return number == number ? number : Float{1};
}

// Memory. Bytes are copied, so that every width and alignment occurs.

template <typename T>
BOTH_SIDES T load(const void* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <typename T>
BOTH_SIDES void store(void* to, T value) {
  __builtin_memcpy(to, &value, sizeof value);
}
#if defined(__HIP_DEVICE_COMPILE__)
#define RANDOM_PROGRAM_SCOPE , __HIP_MEMORY_SCOPE_AGENT
#define RANDOM_PROGRAM_ATOMIC(name) __hip_atomic_##name
#else
#define RANDOM_PROGRAM_SCOPE
#define RANDOM_PROGRAM_ATOMIC(name) __atomic_##name
#endif
#define RANDOM_PROGRAM_DEFINE_ATOMIC(name)                                                         \
  template <typename T>                                                                            \
  BOTH_SIDES T atomic_##name(void* at, T value) {                                                  \
    return RANDOM_PROGRAM_ATOMIC(fetch_##name)(static_cast<T*>(at), value,                         \
                                               __ATOMIC_RELAXED RANDOM_PROGRAM_SCOPE);             \
  }
RANDOM_PROGRAM_DEFINE_ATOMIC(add)
RANDOM_PROGRAM_DEFINE_ATOMIC(and)
RANDOM_PROGRAM_DEFINE_ATOMIC(or)
RANDOM_PROGRAM_DEFINE_ATOMIC(xor)
RANDOM_PROGRAM_DEFINE_ATOMIC(min)
RANDOM_PROGRAM_DEFINE_ATOMIC(max)

/// How threads exchange values between two phases: each takes those of one other thread of its
/// wave.
enum class Exchange {
  Rotate,
  Xor,
  Up,
  Indexed,
  FirstLane,
  QuadPermutation,
  RowShift,
  RowMirror,
  Count
};

/// The lane whose values `lane` takes; `index` is a value of its own.
BOTH_SIDES inline int partner(Exchange kind, int amount, int lane, uint32_t index, int lanes) {
  switch (kind) {
  case Exchange::Xor:
    return lane ^ (amount & (lanes - 1));
  case Exchange::Up:
    return lane < (amount & 31) ? lane : lane - (amount & 31);
  case Exchange::Indexed:
    return static_cast<int>(index) & (lanes - 1);
  case Exchange::FirstLane:
    return 0;
  case Exchange::QuadPermutation:
    return (lane & ~3) | (0x1b >> (2 * (lane & 3)) & 3); // 3, 2, 1, 0
  case Exchange::RowShift:
    return (lane & 15) < 3 ? lane : lane - 3;
  case Exchange::RowMirror:
    return lane ^ 15;
  default:
    return lane;
  }
}

#if defined(__HIP_DEVICE_COMPILE__)
template <int Control>
__device__ uint32_t moved(uint32_t value) {
  return __builtin_amdgcn_update_dpp(value, value, Control, 0xf, 0xf, false);
}

template <Exchange Kind>
__device__ uint32_t taken(uint32_t value, int amount, uint32_t index) {
  switch (Kind) {
  case Exchange::Xor:
    return __shfl_xor(value, amount & (warpSize - 1));
  case Exchange::Up:
    return __shfl_up(value, amount & 31);
  case Exchange::Indexed:
    return __shfl(value, static_cast<int>(index) & (warpSize - 1));
  case Exchange::FirstLane:
    return __builtin_amdgcn_readfirstlane(value);
  case Exchange::QuadPermutation:
    return moved<0x1b>(value);
  case Exchange::RowShift:
    return moved<0x113>(value);
  default:
    return moved<0x140>(value);
  }
}
#endif

/// The words of a state that are exchanged.
struct Offer {
  uint32_t words[4];
};
BOTH_SIDES inline Offer offerOf(const State& state) {
  return {{state.u[0], static_cast<uint32_t>(state.w[0]), static_cast<uint32_t>(state.w[0] >> 32),
           bitsAs<uint32_t>(state.f[0])}};
}
BOTH_SIDES inline void accept(State& state, const Offer& offer, uint32_t votes) {
  state.u[1] += offer.words[0] ^ votes;
  state.w[1] ^= offer.words[1] | uint64_t{offer.words[2]} << 32;
  state.f[1] = numberOf<float>(offer.words[3]);
}

BOTH_SIDES inline State firstState(const uint32_t* in, uint32_t thread) {
  State state{};
  uint32_t at = thread * 7;
  const auto next = [&] { return in[at++ % kInputs] + thread; };
  for (uint32_t& value : state.u)
    value = next();
  for (uint64_t& value : state.w)
    value = uint64_t{next()} << 32 | next();
  for (uint16_t& value : state.s)
    value = static_cast<uint16_t>(next());
  for (uint8_t& value : state.b)
    value = static_cast<uint8_t>(next());
  for (float& value : state.f)
    value = static_cast<float>(static_cast<int32_t>(next())) / 65536.0f;
  for (double& value : state.d)
    value = static_cast<double>(static_cast<int32_t>(next())) / 3.0;
  for (Half& value : state.h)
    value = static_cast<Half>(static_cast<float>(next() & 1023) / 16.0f);
  for (Half2& value : state.p)
    value = {static_cast<Half>(static_cast<float>(next() & 255)), Half{3}};
  for (Float2& value : state.q)
    value = {static_cast<float>(next() & 0xffff), -1.5f};
  for (Short2& value : state.t)
    value = {static_cast<int16_t>(next()), static_cast<int16_t>(next())};
  return state;
}

#if defined(__HIP_DEVICE_COMPILE__)
template <Exchange Kind>
__device__ void exchange(State& state, int amount, Offer* offers) {
  const Offer offer = offerOf(state);
  Offer other;
  if constexpr (Kind == Exchange::Rotate) {
    __syncthreads();
    offers[threadIdx.x] = offer;
    __syncthreads();
    other = offers[(threadIdx.x + static_cast<unsigned>(amount)) % kThreads];
  } else {
    for (int i = 0; i < 4; ++i)
      other.words[i] = taken<Kind>(offer.words[i], amount, state.u[2]);
  }
  accept(state, other, static_cast<uint32_t>(__popcll(__ballot(state.u[3] & 1))));
}
#endif

/// `Program` has kPhases, `phase<Index>(state, memory)`, and kExchanges and kAmounts between the
/// phases.
template <typename Program, int Phase>
__device__ void runPhases([[maybe_unused]] State& state, [[maybe_unused]] const Memory& memory,
                          [[maybe_unused]] Offer* offers) {
#if defined(__HIP_DEVICE_COMPILE__)
  Program::template phase<Phase>(state, memory);
  if constexpr (Phase + 1 < Program::kPhases) {
    exchange<Program::kExchanges[Phase]>(state, Program::kAmounts[Phase], offers);
    runPhases<Program, Phase + 1>(state, memory, offers);
  }
#endif
}

template <typename Program>
__global__ __launch_bounds__(kThreads) void runOnDevice(const uint32_t* in, uint32_t* own,
                                                        State* states) {
  __shared__ uint32_t local[kThreads * kOwnWords];
  __shared__ Offer offers[kThreads];
  const uint32_t thread = blockIdx.x * kThreads + threadIdx.x;
  for (int i = 0; i < kOwnWords; ++i)
    local[threadIdx.x * kOwnWords + i] = 0;
  const Memory memory{in, own + thread * kOwnWords, local + threadIdx.x * kOwnWords};
  State state = firstState(in, thread);
  runPhases<Program, 0>(state, memory, offers);
  states[thread] = state;
}

/// All threads of a workgroup, in lockstep from phase to phase.
template <typename Program, int Phase>
void runGroup(std::vector<State>& states, const std::vector<Memory>& memories, int lanes) {
  for (int thread = 0; thread < kThreads; ++thread)
    Program::template phase<Phase>(states[thread], memories[thread]);
  if constexpr (Phase + 1 < Program::kPhases) {
    constexpr Exchange kKind = Program::kExchanges[Phase];
    constexpr int kAmount = Program::kAmounts[Phase];
    const std::vector<State> before = states;
    for (int thread = 0; thread < kThreads; ++thread) {
      const int wave = thread / lanes * lanes;
      const int other = kKind == Exchange::Rotate ? (thread + kAmount) % kThreads
                                                  : wave + partner(kKind, kAmount, thread - wave,
                                                                   before[thread].u[2], lanes);
      uint32_t votes = 0;
      for (int lane = wave; lane < wave + lanes; ++lane)
        votes += before[lane].u[3] & 1;
      accept(states[thread], offerOf(before[other]), votes);
    }
    runGroup<Program, Phase + 1>(states, memories, lanes);
  }
}

inline void require(hipError_t status, const char* what) {
  if (status == hipSuccess)
    return;
  std::printf("%s: %s\n", what, hipGetErrorString(status));
  std::exit(2);
}

template <typename T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}
template <typename T>
bool samePair(T a, T b) {
  return same(a.x, b.x) && same(a.y, b.y);
}

/// Prints what differs; the first of each kind will do.
class Comparison {
public:
  Comparison(const char* program, int thread) : program_(program), thread_(thread) {}

  template <typename T, std::size_t Count>
  void arrays(const char* name, const T (&device)[Count], const T (&host)[Count]) {
    for (std::size_t i = 0; i < Count; ++i)
      if (!same(device[i], host[i]))
        report(name, i, &device[i], &host[i], sizeof(T));
  }
  template <typename T, std::size_t Count>
  void pairs(const char* name, const T (&device)[Count], const T (&host)[Count]) {
    for (std::size_t i = 0; i < Count; ++i)
      if (!samePair(device[i], host[i]))
        report(name, i, &device[i], &host[i], sizeof(T));
  }
  bool differs() const { return differs_; }

private:
  void report(const char* name, std::size_t index, const void* device, const void* host,
              std::size_t size) {
    uint64_t bits[2] = {};
    std::memcpy(&bits[0], device, size);
    std::memcpy(&bits[1], host, size);
    std::printf("%s: thread %d: %s[%zu] is %#llx, on the host %#llx\n", program_, thread_, name,
                index, static_cast<unsigned long long>(bits[0]),
                static_cast<unsigned long long>(bits[1]));
    differs_ = true;
  }

  const char* program_;
  int thread_;
  bool differs_ = false;
};

inline bool compare(const char* program, int thread, const State& device, const State& host,
                    const uint32_t* deviceOwn, const uint32_t* hostOwn) {
  Comparison comparison(program, thread);
  comparison.arrays("u", device.u, host.u);
  comparison.arrays("w", device.w, host.w);
  comparison.arrays("s", device.s, host.s);
  comparison.arrays("b", device.b, host.b);
  comparison.arrays("f", device.f, host.f);
  comparison.arrays("d", device.d, host.d);
  comparison.arrays("h", device.h, host.h);
  comparison.pairs("p", device.p, host.p);
  comparison.pairs("q", device.q, host.q);
  comparison.pairs("t", device.t, host.t);
  comparison.arrays("own", *reinterpret_cast<const uint32_t(*)[kOwnWords]>(deviceOwn),
                    *reinterpret_cast<const uint32_t(*)[kOwnWords]>(hostOwn));
  return !comparison.differs();
}

/// Runs the program on both sides. False, with a line for each difference, when they disagree.
template <typename Program>
bool check(const char* name) {
  constexpr int kAll = kThreads * kGroups;
  std::vector<uint32_t> in(kInputs);
  uint64_t sequence = 88172645463325252u;
  for (uint32_t& value : in) {
    sequence ^= sequence << 13;
    sequence ^= sequence >> 7;
    sequence ^= sequence << 17;
    value = static_cast<uint32_t>(sequence >> 16);
  }
  int lanes = 0;
  require(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0), "the size of a wave");
  uint32_t* deviceIn = nullptr;
  uint32_t* deviceOwn = nullptr;
  State* deviceStates = nullptr;
  const size_t ownBytes = kAll * kOwnWords * sizeof(uint32_t);
  require(hipMalloc(&deviceIn, in.size() * sizeof in[0]), "hipMalloc");
  require(hipMalloc(&deviceOwn, ownBytes), "hipMalloc");
  require(hipMalloc(&deviceStates, kAll * sizeof(State)), "hipMalloc");
  require(hipMemcpy(deviceIn, in.data(), in.size() * sizeof in[0], hipMemcpyHostToDevice), "copy");
  require(hipMemset(deviceOwn, 0, ownBytes), "hipMemset");
  runOnDevice<Program><<<kGroups, kThreads>>>(deviceIn, deviceOwn, deviceStates);
  require(hipDeviceSynchronize(), "the kernel");
  std::vector<State> found(kAll);
  std::vector<uint32_t> foundOwn(kAll * kOwnWords);
  require(hipMemcpy(found.data(), deviceStates, kAll * sizeof(State), hipMemcpyDeviceToHost),
          "copy");
  require(hipMemcpy(foundOwn.data(), deviceOwn, ownBytes, hipMemcpyDeviceToHost), "copy");

  bool right = true;
  for (int group = 0; group < kGroups; ++group) {
    std::vector<State> states;
    std::vector<uint32_t> own(kThreads * kOwnWords);
    std::vector<uint32_t> local(kThreads * kOwnWords);
    std::vector<Memory> memories;
    for (int i = 0; i < kThreads; ++i) {
      states.push_back(firstState(in.data(), static_cast<uint32_t>(group * kThreads + i)));
      memories.push_back({in.data(), &own[i * kOwnWords], &local[i * kOwnWords]});
    }
    runGroup<Program, 0>(states, memories, lanes);
    for (int i = 0; i < kThreads && right; ++i) {
      const int thread = group * kThreads + i;
      right = compare(name, thread, found[thread], states[i], &foundOwn[thread * kOwnWords],
                      &own[i * kOwnWords]);
    }
  }
  require(hipFree(deviceIn), "hipFree");
  require(hipFree(deviceOwn), "hipFree");
  require(hipFree(deviceStates), "hipFree");
  return right;
}

} // namespace random_program
