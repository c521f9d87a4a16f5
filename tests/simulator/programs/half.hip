// Half precision, as scalars, pairs and bf16 conversions.
#include <hip/hip_fp16.h>

#include "check.h"

using Half = _Float16;
constexpr int kResults = 9;

__global__ void scalars(const Half* a, const Half* b, Half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  Half* to = out + kResults * i;
  to[0] = a[i] + b[i];
  to[1] = a[i] * b[i];
  to[2] = a[i] - b[i];
  to[3] = a[i] / b[i];
  to[4] = __builtin_fmaf16(a[i], b[i], Half(1));
  to[5] = a[i] < b[i] ? a[i] : b[i];
  to[6] = static_cast<Half>(static_cast<int>(a[i]));
  to[7] = static_cast<Half>(static_cast<float>(a[i]) * 0.3f);
  to[8] = static_cast<Half>(static_cast<unsigned short>(b[i] < 0 ? -b[i] : b[i]));
}

__global__ void pairs(const __half2* a, const __half2* b, __half2* out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    out[i] = __hfma2(a[i], b[i], __hadd2(a[i], __float2half2_rn(0.5f)));
  }
}

__global__ void intrinsics(const __half* in, float* out) {
  const __half x = in[threadIdx.x];
  out[threadIdx.x] = __half2float(__hadd(hsqrt(__habs(x)), __hmul(x, __float2half(2.0f)))) +
                     __half2float(hexp(__hdiv(x, __float2half(16.0f)))) + (__hgt(x, in[0]) ? 1 : 0);
}

/// The upper half of a float, rounded to nearest even: how bf16 libraries convert.
__host__ __device__ unsigned short toBrain(float value) {
  const auto bits = __builtin_bit_cast(unsigned, value);
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
__global__ void brain(const float* in, unsigned short* out) {
  out[threadIdx.x] = toBrain(in[threadIdx.x]);
}

void checkScalars() {
  constexpr int n = 200;
  std::vector<Half> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = Half(i - 100) * Half(0.37);
    b[i] = Half(i % 17 - 8) * Half(1.25) + Half(0.125);
  }
  Half* out = deviceZeros<Half>(n * kResults);
  scalars<<<2, 128>>>(toDevice(a), toDevice(b), out, n);
  const auto result = toHost(out, n * kResults);
  for (int i = 0; i < n; ++i) {
    const double x = a[i], y = b[i];
    const double exact[kResults] = {x + y,
                                    x * y,
                                    x - y,
                                    x / y,
                                    x * y + 1,
                                    std::fmin(x, y),
                                    std::trunc(x),
                                    double(float(x) * 0.3f),
                                    std::trunc(std::fabs(y))};
    for (int kind = 0; kind < kResults; ++kind) {
      const double expected = Half(exact[kind]);
      EXPECT(double(result[i * kResults + kind]) == expected, "half %d of %g, %g: %g, not %g", kind,
             x, y, double(result[i * kResults + kind]), expected);
    }
  }
}

void checkPairs() {
  constexpr int n = 50;
  std::vector<__half2> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = __floats2half2_rn(i * 0.5f, i - 20.0f);
    b[i] = __floats2half2_rn(3.0f - i, i * 0.25f);
  }
  __half2* out = deviceZeros<__half2>(n);
  pairs<<<1, 64>>>(toDevice(a), toDevice(b), out, n);
  const auto result = toHost(out, n);
  for (int i = 0; i < n; ++i) {
    const double low = i * 0.5, high = i - 20.0;
    const double lowSum = Half(low * (3.0 - i) + double(Half(low + 0.5)));
    const double highSum = Half(high * (i * 0.25) + double(Half(high + 0.5)));
    EXPECT(__low2float(result[i]) == lowSum && __high2float(result[i]) == highSum, "pair %d", i);
  }
}

void checkRest() {
  std::vector<__half> in(64);
  std::vector<float> floats(64);
  for (int i = 0; i < 64; ++i) {
    in[i] = __float2half(i - 30.0f);
    floats[i] = std::ldexp(1.0f + i * 0.013f, i - 32) * (i % 2 == 0 ? 1 : -1);
  }
  float* out = deviceZeros<float>(64);
  intrinsics<<<1, 64>>>(toDevice(in), out);
  const auto result = toHost(out, 64);
  auto* brains = deviceZeros<unsigned short>(64);
  brain<<<1, 64>>>(toDevice(floats), brains);
  const auto rounded = toHost(brains, 64);
  for (int i = 0; i < 64; ++i) {
    const float x = i - 30.0f;
    const float expected =
        std::sqrt(std::fabs(x)) + 2 * x + std::exp(x / 16) + (x > -30.0f ? 1 : 0);
    EXPECT(std::abs(result[i] - expected) < 0.05f, "intrinsics of %g: %g, not %g", x, result[i],
           expected);
    EXPECT(rounded[i] == toBrain(floats[i]), "bf16 of %g", floats[i]);
  }
}

int main() {
  checkScalars();
  checkPairs();
  checkRest();
}
