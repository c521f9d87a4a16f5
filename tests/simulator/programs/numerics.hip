// Floating point as benchmarks use it, against the host's mathematical functions.
#include "check.h"

struct Body {
  float x, y, z, mass;
};

__global__ void gravity(const Body* bodies, float3* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  float3 sum = make_float3(0, 0, 0);
  for (int j = 0; j < n; ++j) {
    const float dx = bodies[j].x - bodies[i].x;
    const float dy = bodies[j].y - bodies[i].y;
    const float dz = bodies[j].z - bodies[i].z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    const float scale = bodies[j].mass * inverse * inverse * inverse;
    sum.x += dx * scale;
    sum.y += dy * scale;
    sum.z += dz * scale;
  }
  force[i] = sum;
}

__global__ void mandelbrot(int* iterations, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  const double cr = -2.0 + 3.0 * x / width, ci = -1.5 + 3.0 * y / height;
  double zr = 0, zi = 0;
  int count = 0;
  while (count < 60 && zr * zr + zi * zi < 4.0) {
    const double next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    ++count;
  }
  iterations[y * width + x] = count;
}

template <typename T>
__host__ __device__ T normalDistribution(T x) {
  return T(0.5) * (T(1) + erf(x / sqrt(T(2))));
}

template <typename T>
__host__ __device__ T optionPrice(T spot, T strike, T years) {
  const T rate = T(0.02), volatility = T(0.3);
  const T deviation = volatility * sqrt(years);
  const T d1 = (log(spot / strike) + (rate + volatility * volatility / 2) * years) / deviation;
  return spot * normalDistribution(d1) -
         strike * exp(-rate * years) * normalDistribution(d1 - deviation);
}

template <typename T>
__global__ void blackScholes(const T* spot, const T* strike, const T* years, T* price, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    price[i] = optionPrice(spot[i], strike[i], years[i]);
  }
}

constexpr int kFunctions = 24;

template <typename T>
__host__ __device__ void functions(T x, T* out) {
  const T u = x / (1 + fabs(x)); // between -1 and 1
  const T p = fabs(x) + T(0.125);
  int exponent = 0;
  out[0] = sin(x);
  out[1] = cos(x);
  out[2] = tan(u);
  out[3] = asin(u);
  out[4] = acos(u);
  out[5] = atan(x);
  out[6] = sinh(u);
  out[7] = cosh(u);
  out[8] = tanh(x);
  out[9] = exp(u * 20);
  out[10] = exp2(u * 9);
  out[11] = expm1(u);
  out[12] = log(p);
  out[13] = log2(p);
  out[14] = log10(p);
  out[15] = log1p(p);
  out[16] = pow(p, u * 3);
  out[17] = sqrt(p);
  out[18] = cbrt(x);
  out[19] = erf(u);
  out[20] = erfc(u);
  out[21] = tgamma(u + 2);
  out[22] = frexp(x, &exponent);
  out[23] = fmod(x, T(0.7));
  out[0] += exponent;
  out[1] += floor(x) + ceil(x) + trunc(x) + rint(x) + round(x);
  out[2] += atan2(x, u) + hypot(x, u) + fma(x, u, p) + copysign(p, u) + fmin(x, u) + fmax(p, u);
  out[3] += ldexp(u, 5) + lgamma(p) + remainder(x, T(0.3)) + T(lrint(x)) + T(ilogb(p));
}

template <typename T>
__global__ void evaluate(const T* x, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    functions(x[i], out + i * kFunctions);
  }
}

void checkGravity() {
  constexpr int n = 100;
  Numbers numbers;
  std::vector<Body> bodies(n);
  for (Body& body : bodies) {
    body = {numbers.unit(), numbers.unit(), numbers.unit(), numbers.unit()};
  }
  float3* force = deviceZeros<float3>(n);
  gravity<<<2, 64>>>(toDevice(bodies), force, n);
  const auto result = toHost(force, n);
  for (int i = 0; i < n; ++i) {
    double expected = 0;
    for (const Body& other : bodies) {
      const double dx = other.x - bodies[i].x, dy = other.y - bodies[i].y,
                   dz = other.z - bodies[i].z;
      expected += other.mass * dx / std::pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
    }
    EXPECT(std::abs(result[i].x - expected) < 1e-4 * n, "force %d is %f, not %f", i, result[i].x,
           expected);
  }
}

void checkMandelbrot() {
  constexpr int kWidth = 60, kHeight = 40;
  int* iterations = deviceZeros<int>(kWidth * kHeight);
  mandelbrot<<<dim3(8, 5), dim3(8, 8)>>>(iterations, kWidth, kHeight);
  const auto result = toHost(iterations, kWidth * kHeight);
  EXPECT(result[20 * kWidth + 40] == 60, "the centre is in the set: %d", result[20 * kWidth + 40]);
  EXPECT(result[0] == 1, "the corner is outside: %d", result[0]);
  for (int y = 1; y < kHeight; ++y) { // the set is symmetric about the real axis
    for (int x = 0; x < kWidth; ++x) {
      EXPECT(std::abs(result[y * kWidth + x] - result[(kHeight - y) * kWidth + x]) <= 1,
             "symmetry at %d, %d", x, y);
    }
  }
}

template <typename T>
void checkBlackScholes(double tolerance) {
  constexpr int n = 500;
  Numbers numbers;
  std::vector<T> spot(n), strike(n), years(n);
  for (int i = 0; i < n; ++i) {
    spot[i] = T(5) + T(25) * numbers.unit();
    strike[i] = T(1) + T(99) * numbers.unit();
    years[i] = T(0.25) + T(9.75) * numbers.unit();
  }
  T* price = deviceZeros<T>(n);
  blackScholes<T><<<4, 128>>>(toDevice(spot), toDevice(strike), toDevice(years), price, n);
  const auto result = toHost(price, n);
  for (int i = 0; i < n; ++i) {
    const double expected = optionPrice<double>(spot[i], strike[i], years[i]);
    EXPECT(errorOf(result[i], expected) < tolerance, "option %d: %g, not %g", i, double(result[i]),
           expected);
  }
}

template <typename T>
void checkFunctions(double tolerance) {
  std::vector<T> x;
  for (int i = -40; i <= 40; ++i) {
    x.push_back(T(i) * T(0.37) + T(0.01));
  }
  const int n = static_cast<int>(x.size());
  T* out = deviceZeros<T>(n * kFunctions);
  evaluate<T><<<2, 64>>>(toDevice(x), out, n);
  const auto result = toHost(out, n * kFunctions);
  for (int i = 0; i < n; ++i) {
    T expected[kFunctions];
    functions<T>(x[i], expected);
    for (int f = 0; f < kFunctions; ++f) {
      EXPECT(errorOf(result[i * kFunctions + f], expected[f]) < tolerance,
             "function %d of %g: %.17g, not %.17g", f, double(x[i]),
             double(result[i * kFunctions + f]), double(expected[f]));
    }
  }
}

int main() {
  checkGravity();
  checkMandelbrot();
  checkBlackScholes<float>(1e-4);
  checkBlackScholes<double>(1e-12);
  checkFunctions<float>(3e-5);
  checkFunctions<double>(1e-12);
}
