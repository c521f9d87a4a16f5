// What the probe compiles: a kernel with branches, with no need of HIP's headers, so that the probe judges
// the compiler and not the HIP installation. Where the project's flags bring the headers in, their macros
// are there already.
#if !defined(__global__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, __SIZE_TYPE__, void*);
extern "C" unsigned __hipPopCallConfiguration(dim3*, dim3*, __SIZE_TYPE__*, void*);
#endif

static __device__ int larger(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void device_coverage_probe(int* values, int count) {
  for (int i = 1; i < count; ++i)
    values[i] = larger(values[i - 1], values[i]);
}

// Host code beside it, whose counters must not change with those of the device.
int device_coverage_probe_host(int value) { return value > 0 ? value : 0; }
