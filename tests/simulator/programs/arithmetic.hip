// Integers of every width, conversions, bit fields, and copies of private memory.
#include <cstdint>
#include <cstring>

#include "check.h"

template <typename T>
__host__ __device__ T mix(T a, T b) {
  T result = a * b + a - b;
  if (b != 0) {
    result += a / b;
    result ^= a % b;
  }
  result += (a << (b & 7)) ^ (a >> (b & 7));
  result += a < b ? a : b;
  return result + (a > b) * 3;
}

template <typename T>
__global__ void integers(const T* a, const T* b, T* out) {
  out[threadIdx.x] = mix<T>(a[threadIdx.x], b[threadIdx.x]);
}

/// Sums with only exactly representable terms, so that the order does not matter.
__host__ __device__ double conversions(double x) {
  const double magnitude = x < 0 ? -x : x;
  double sum = static_cast<int>(x);
  sum += static_cast<double>(static_cast<long long>(x * 1024));
  sum += static_cast<unsigned>(magnitude);
  sum += static_cast<double>(static_cast<unsigned long long>(magnitude * 4096));
  sum += static_cast<float>(static_cast<long long>(x * 1e9)) / 65536;
  sum += static_cast<signed char>(static_cast<int>(x));
  sum += static_cast<short>(static_cast<int>(x) * 1000);
  sum += static_cast<double>(static_cast<float>(x));
  return sum;
}

__global__ void convert(const double* in, double* out) {
  out[threadIdx.x] = conversions(in[threadIdx.x]);
}

struct Packed {
  unsigned a : 3, b : 11, c : 18;
  uchar4 bytes;
  ushort2 halves;
};

__host__ __device__ void update(Packed& packed, unsigned item) {
  packed.a = item;
  packed.b = packed.a * 100;
  packed.c = packed.b * packed.b;
  packed.bytes.x += 3;
  packed.bytes.w = packed.bytes.x * 2;
  packed.halves.y = packed.halves.x + packed.c;
}

__global__ void updateAll(Packed* packed) {
  update(packed[threadIdx.x], threadIdx.x);
}

__global__ void copies(char* out, const char* in) {
  char own[100];
  memcpy(own, in, sizeof own);
  memset(own + 10, 7, 20);
  for (char& each : own) {
    each ^= static_cast<char>(threadIdx.x);
  }
  memcpy(out + threadIdx.x * sizeof own, own, sizeof own);
}

template <typename T>
void checkIntegers() {
  Numbers numbers;
  std::vector<T> a(64), b(64);
  for (int i = 0; i < 64; ++i) {
    a[i] = static_cast<T>(static_cast<unsigned long long>(numbers.next()) << 33 ^ numbers.next());
    b[i] = static_cast<T>(numbers.next() % (i + 3));
    b[i] = i % 5 == 0 ? static_cast<T>(-b[i]) : b[i];
  }
  T* out = deviceZeros<T>(64);
  integers<T><<<1, 64>>>(toDevice(a), toDevice(b), out);
  const auto result = toHost(out, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT(result[i] == mix<T>(a[i], b[i]), "%zu bytes, item %d", sizeof(T), i);
  }
}

void checkConversions() {
  std::vector<double> in(64);
  for (int i = 0; i < 64; ++i) {
    in[i] = (i - 32) * 3.375;
  }
  double* out = deviceZeros<double>(64);
  convert<<<1, 64>>>(toDevice(in), out);
  const auto result = toHost(out, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT(errorOf(result[i], conversions(in[i])) < 1e-15, "conversions of %g: %.17g, not %.17g",
           in[i], result[i], conversions(in[i]));
  }
}

void checkMemory() {
  std::vector<Packed> packed(64);
  Packed* device = toDevice(packed);
  updateAll<<<1, 64>>>(device);
  const auto updated = toHost(device, 64);
  std::vector<char> in(100);
  for (int i = 0; i < 100; ++i) {
    in[i] = static_cast<char>(i);
  }
  char* out = deviceZeros<char>(6400);
  copies<<<1, 64>>>(out, toDevice(in));
  const auto copied = toHost(out, 6400);
  for (int i = 0; i < 64; ++i) {
    update(packed[i], static_cast<unsigned>(i));
    EXPECT(std::memcmp(&packed[i], &updated[i], sizeof(Packed)) == 0, "bit fields of item %d", i);
    for (int at = 0; at < 100; ++at) {
      const int expected = (at >= 10 && at < 30 ? 7 : at) ^ i;
      EXPECT(copied[i * 100 + at] == expected, "byte %d of item %d", at, i);
    }
  }
}

int main() {
  checkIntegers<std::int8_t>();
  checkIntegers<std::uint8_t>();
  checkIntegers<std::int16_t>();
  checkIntegers<std::uint16_t>();
  checkIntegers<std::int32_t>();
  checkIntegers<std::uint32_t>();
  checkIntegers<std::int64_t>();
  checkIntegers<std::uint64_t>();
  checkConversions();
  checkMemory();
}
