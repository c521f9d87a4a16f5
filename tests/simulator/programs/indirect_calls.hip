// Virtual functions and tables of functions. HIP 5.2.3 launches such kernels of clang 22 only when
// an attribute takes a hidden argument away; launchable_kernels.csv has it for these two.
#include "check.h"

class Shape {
public:
  __device__ virtual float area() const = 0;
};

class Square : public Shape {
public:
  __device__ explicit Square(float side) : side_(side) {}
  __device__ float area() const override { return side_ * side_; }

private:
  float side_;
};

class Rectangle : public Shape {
public:
  __device__ Rectangle(float width, float height) : width_(width), height_(height) {}
  __device__ float area() const override { return width_ * height_; }

private:
  float width_;
  float height_;
};

/// Neighbouring lanes hold objects of different classes.
extern "C" __global__ void callVirtually(float* out) {
  const float size = static_cast<float>(threadIdx.x);
  const Square square(size);
  const Rectangle rectangle(size, 0.5f);
  const Shape* shape = threadIdx.x % 2 == 0 ? static_cast<const Shape*>(&square) : &rectangle;
  out[threadIdx.x] = shape->area();
}

using Operation = unsigned (*)(unsigned);
__device__ unsigned increment(unsigned value) {
  return value + 1;
}
__device__ unsigned twice(unsigned value) {
  return 2 * value;
}
__device__ unsigned complement(unsigned value) {
  return ~value;
}
__device__ Operation operations[] = {increment, twice, complement};

extern "C" __global__ void callFromTable(const unsigned* which, unsigned* out) {
  out[threadIdx.x] = operations[which[threadIdx.x]](threadIdx.x);
}

int main() {
  constexpr unsigned kThreads = 192;
  float* areas = deviceZeros<float>(kThreads);
  callVirtually<<<1, kThreads>>>(areas);
  const std::vector<float> area = toHost(areas, kThreads);

  std::vector<unsigned> which(kThreads);
  Numbers numbers;
  for (unsigned& operation : which)
    operation = numbers.next() % 3;
  unsigned* results = deviceZeros<unsigned>(kThreads);
  callFromTable<<<1, kThreads>>>(toDevice(which), results);
  const std::vector<unsigned> result = toHost(results, kThreads);

  for (unsigned i = 0; i < kThreads; ++i) {
    const float size = static_cast<float>(i);
    const float expectedArea = i % 2 == 0 ? size * size : size * 0.5f;
    EXPECT(area[i] == expectedArea, "thread %u: %g, not %g", i, area[i], expectedArea);
    const unsigned expected[] = {i + 1, 2 * i, ~i};
    EXPECT(result[i] == expected[which[i]], "thread %u, operation %u: %u", i, which[i], result[i]);
  }
  return 0;
}
