// verdict: race
// After the last step of the tree all threads read the total, but nobody waits for the thread that writes it.

#include <cuda_fp16.h>

__global__ void rms_norm(const half* x, const half* gamma, half* y, int rows, int cols) {
    __shared__ float sums[256];
    const half* from = x + (long long)blockIdx.x * cols;
    half* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) sum += __half2float(from[j]) * __half2float(from[j]);
    sums[threadIdx.x] = sum;
    for (int active = blockDim.x / 2; active > 0; active /= 2) {
        __syncthreads();
        if (threadIdx.x < active) sums[threadIdx.x] += sums[threadIdx.x + active];
    }
    float inverse = rsqrtf(sums[0] / cols + 1e-5f);
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        to[j] = __float2half(__half2float(from[j]) * inverse * __half2float(gamma[j]));
    }
}
