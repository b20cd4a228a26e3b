// verdict: wrong_answer
// The 0.00001 is added to the root instead of to the mean square: rows of small numbers come out far too large.

//! launch rms_norm<<<ceil_div(rows, 64), 64>>>(x, gamma, y, rows, cols)

#include <cuda_fp16.h>

__global__ void rms_norm(const half* x, const half* gamma, half* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const half* from = x + (long long)row * cols;
    half* to = y + (long long)row * cols;
    float sum = 0.0f;
    for (int j = 0; j < cols; ++j) sum += __half2float(from[j]) * __half2float(from[j]);
    float inverse = 1.0f / (sqrtf(sum / cols) + 1e-5f);
    for (int j = 0; j < cols; ++j) to[j] = __float2half(__half2float(from[j]) * inverse * __half2float(gamma[j]));
}
