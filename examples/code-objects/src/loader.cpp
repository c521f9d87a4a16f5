// loader <saxpy.hsaco> <transpose.hsaco>: runs kernels of code objects that it loads, and checks
// their results. Exit status 0 when all are right.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

// The fat binary of kernels/histogram.cpp and kernels/bins.cpp, linked into this program.
extern "C" const unsigned char bundled_kernels[];

namespace {

void check(hipError_t status) {
  if (status != hipSuccess)
    throw std::runtime_error(hipGetErrorString(status));
}

class Kernel {
public:
  /// Of a code object in a file.
  Kernel(const char* file, const char* name) {
    check(hipModuleLoad(&module_, file));
    check(hipModuleGetFunction(&function_, module_, name));
  }
  /// Of a fat binary in memory.
  Kernel(const unsigned char* image, const char* name) {
    check(hipModuleLoadData(&module_, image));
    check(hipModuleGetFunction(&function_, module_, name));
  }
  // Unloading takes the counters along; the drain reads them before.
  ~Kernel() { (void)hipModuleUnload(module_); }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  template <typename... Arguments>
  void launch(dim3 grid, dim3 block, Arguments... arguments) const {
    void* pointers[] = {&arguments...};
    check(hipModuleLaunchKernel(function_, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0,
                                nullptr, pointers, nullptr));
  }

private:
  hipModule_t module_ = nullptr;
  hipFunction_t function_ = nullptr;
};

template <typename T>
class DeviceArray {
public:
  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    check(hipMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T)));
    check(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  std::vector<T> toHost() const {
    std::vector<T> values(count_);
    check(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

private:
  T* data_ = nullptr;
  size_t count_;
};

bool saxpyIsRight(const char* file) {
  constexpr unsigned kCount = 200;
  std::vector<float> x(kCount), y(kCount, 1);
  for (unsigned i = 0; i < kCount; ++i)
    x[i] = static_cast<float>(i);
  const DeviceArray<float> deviceX(x), deviceY(y);
  const Kernel saxpy(file, "saxpy");
  saxpy.launch(dim3(4), dim3(64), 3.0f, deviceX.data(), deviceY.data(), kCount);
  const std::vector<float> result = deviceY.toHost();
  for (unsigned i = 0; i < kCount; ++i)
    if (result[i] != 3 * x[i] + 1)
      return false;
  return true;
}

bool transposeIsRight(const char* file) {
  constexpr unsigned kSide = 20;
  std::vector<float> matrix(kSide * kSide);
  for (unsigned i = 0; i < kSide * kSide; ++i)
    matrix[i] = static_cast<float>(i);
  const DeviceArray<float> from(matrix), to(std::vector<float>(kSide * kSide, 0));
  const Kernel transpose(file, "transpose");
  transpose.launch(dim3(2, 2), dim3(16, 16), from.data(), to.data(), kSide);
  const std::vector<float> result = to.toHost();
  for (unsigned row = 0; row < kSide; ++row)
    for (unsigned column = 0; column < kSide; ++column)
      if (result[column * kSide + row] != matrix[row * kSide + column])
        return false;
  return true;
}

bool histogramIsRight() {
  constexpr unsigned kCount = 100;
  std::vector<unsigned> values(kCount);
  for (unsigned i = 0; i < kCount; ++i)
    values[i] = i;
  const DeviceArray<unsigned> deviceValues(values), bins(std::vector<unsigned>(8, 0));
  const Kernel histogram(bundled_kernels, "histogram");
  histogram.launch(dim3(2), dim3(64), deviceValues.data(), bins.data(), kCount);
  return bins.toHost() == std::vector<unsigned>{10, 10, 10, 10, 10, 10, 10, 30};
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: loader <saxpy.hsaco> <transpose.hsaco>\n");
    return 2;
  }
  const bool saxpy = saxpyIsRight(argv[1]);
  const bool transpose = transposeIsRight(argv[2]);
  const bool histogram = histogramIsRight();
  std::printf("saxpy: %s, transpose: %s, histogram: %s\n", saxpy ? "right" : "wrong",
              transpose ? "right" : "wrong", histogram ? "right" : "wrong");
  return saxpy && transpose && histogram ? 0 : 1;
}
