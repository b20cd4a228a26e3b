// verdict: wrong_answer
// The shuffles add up a warp, and each warp then goes on with its own sum: right only while one warp has all elements.

#include <cuda_fp16.h>

__global__ void rms_norm(const half* x, const half* gamma, half* y, int rows, int cols) {
    const half* from = x + (long long)blockIdx.x * cols;
    half* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) sum += __half2float(from[j]) * __half2float(from[j]);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    float inverse = rsqrtf(sum / cols + 1e-5f);
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        to[j] = __float2half(__half2float(from[j]) * inverse * __half2float(gamma[j]));
    }
}
