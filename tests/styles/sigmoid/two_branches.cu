// No exponential of a positive number, by a ternary and by cuda::std.
#include <cuda/std/cmath>
__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float e = cuda::std::exp(-cuda::std::fabs(x[i]));
    y[i] = signbit(x[i]) ? e / (1.0f + e) : 1.0f / (1.0f + e);
}
