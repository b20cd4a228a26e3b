// verdict: wrong_answer
// The sum is a half: squares that are small beside it are lost, and above 65504 it is infinite.

//! launch rms_norm<<<ceil_div(rows, 64), 64>>>(x, gamma, y, rows, cols)

#include <cuda_fp16.h>

__global__ void rms_norm(const half* x, const half* gamma, half* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const half* from = x + (long long)row * cols;
    half* to = y + (long long)row * cols;
    half sum = __float2half(0.0f);
    for (int j = 0; j < cols; ++j) sum = __hadd(sum, __hmul(from[j], from[j]));
    float inverse = rsqrtf(__half2float(sum) / cols + 1e-5f);
    for (int j = 0; j < cols; ++j) to[j] = __float2half(__half2float(from[j]) * inverse * __half2float(gamma[j]));
}
