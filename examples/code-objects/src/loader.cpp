// loader <saxpy.hsaco> <transpose.hsaco>: runs kernels of code objects that it loads, and checks
// their results. Exit status 0 when all are right.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

void check(hipError_t status) {
  if (status != hipSuccess)
    throw std::runtime_error(hipGetErrorString(status));
}

class Kernel {
public:
  Kernel(const char* file, const char* name) {
    check(hipModuleLoad(&module_, file));
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

class DeviceFloats {
public:
  explicit DeviceFloats(const std::vector<float>& values) : count_(values.size()) {
    check(hipMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(float)));
    check(hipMemcpy(data_, values.data(), count_ * sizeof(float), hipMemcpyHostToDevice));
  }
  ~DeviceFloats() { (void)hipFree(data_); }
  DeviceFloats(const DeviceFloats&) = delete;
  DeviceFloats& operator=(const DeviceFloats&) = delete;

  float* data() const { return data_; }
  std::vector<float> toHost() const {
    std::vector<float> values(count_);
    check(hipMemcpy(values.data(), data_, count_ * sizeof(float), hipMemcpyDeviceToHost));
    return values;
  }

private:
  float* data_ = nullptr;
  size_t count_;
};

bool saxpyIsRight(const char* file) {
  constexpr unsigned kCount = 200;
  std::vector<float> x(kCount), y(kCount, 1);
  for (unsigned i = 0; i < kCount; ++i)
    x[i] = static_cast<float>(i);
  const DeviceFloats deviceX(x), deviceY(y);
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
  const DeviceFloats from(matrix), to(std::vector<float>(kSide * kSide, 0));
  const Kernel transpose(file, "transpose");
  transpose.launch(dim3(2, 2), dim3(16, 16), from.data(), to.data(), kSide);
  const std::vector<float> result = to.toHost();
  for (unsigned row = 0; row < kSide; ++row)
    for (unsigned column = 0; column < kSide; ++column)
      if (result[column * kSide + row] != matrix[row * kSide + column])
        return false;
  return true;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: loader <saxpy.hsaco> <transpose.hsaco>\n");
    return 2;
  }
  const bool saxpy = saxpyIsRight(argv[1]);
  const bool transpose = transposeIsRight(argv[2]);
  std::printf("saxpy: %s, transpose: %s\n", saxpy ? "right" : "wrong",
              transpose ? "right" : "wrong");
  return saxpy && transpose ? 0 : 1;
}
