// cuda::std's limits and integers, any_sync as an early way out.
#include <cuda/std/limits>
#include <cuda/std/cstdint>
__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ float s[256];
    float top = 0;
    for (int start = 0; __any_sync(~0u, start + (int)threadIdx.x < n); start += 256) {
        int i = start + threadIdx.x;
        if (i < n) top = fmaxf(top, fabsf(x[i]));
    }
    s[threadIdx.x] = top;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = threadIdx.x; k < 256; k += 32) top = fmaxf(top, s[k]);
        for (int d = 16; d; d /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
        if (threadIdx.x == 0) s[0] = top;
    }
    __syncthreads();
    float step = s[0] > 0 ? s[0] / 127.0f : 1.0f;
    for (int i = threadIdx.x; i < n; i += 256) {
        cuda::std::int8_t w = (cuda::std::int8_t)rintf(fminf(fmaxf(x[i] / step, -(float)cuda::std::numeric_limits<signed char>::max()), 127.0f));
        q[i] = w;
        y[i] = w * step;
    }
    if (threadIdx.x == 0) scale[0] = step;
}
