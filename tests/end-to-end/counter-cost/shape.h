// The launches of the kernels.
#pragma once

constexpr unsigned kBlock = 256;
constexpr unsigned kSide = 32;               // of the matrices
constexpr unsigned kThreads = kSide * kSide; // 4 blocks
constexpr const char* kKernels[] = {"scale", "collatz", "stencil", "blockSum", "matrixProduct"};
