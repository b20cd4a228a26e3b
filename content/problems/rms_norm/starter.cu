// RMSNorm: y[i, j] = x[i, j] / sqrt(mean of the squares of row i + 0.00001) * gamma[j], in halves.
//
// Started as rms_norm<<<rows, 256>>>(x, gamma, y, rows, cols), one block for each row. The last loop is there; the mean
// square is missing, so every row is only multiplied by gamma.

#include <cuda_fp16.h>

__global__ void rms_norm(const half* x, const half* gamma, half* y, int rows, int cols) {
    const half* from = x + (long long)blockIdx.x * cols;
    half* to = y + (long long)blockIdx.x * cols;

    float inverse = 1.0f;  // fill in: rsqrtf(sum of squares / cols + 1e-5f), summed in float by all threads of the block

    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        to[j] = __float2half(__half2float(from[j]) * inverse * __half2float(gamma[j]));
    }
}
