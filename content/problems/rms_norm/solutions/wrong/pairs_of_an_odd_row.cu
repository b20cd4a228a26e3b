// verdict: memory_error
// Two halves at a time, whatever the length: where cols is odd, every second row begins between two pairs.

#include <cuda_fp16.h>

__global__ void rms_norm(const half* x, const half* gamma, half* y, int rows, int cols) {
    __shared__ float sums[256];
    const half2* from = reinterpret_cast<const half2*>(x + (long long)blockIdx.x * cols);
    half2* to = reinterpret_cast<half2*>(y + (long long)blockIdx.x * cols);
    const int pairs = (cols + 1) / 2;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < pairs; j += blockDim.x) {
        float2 pair = __half22float2(from[j]);
        sum += pair.x * pair.x + pair.y * pair.y;
    }
    sums[threadIdx.x] = sum;
    for (int active = blockDim.x / 2; active > 0; active /= 2) {
        __syncthreads();
        if (threadIdx.x < active) sums[threadIdx.x] += sums[threadIdx.x + active];
    }
    __syncthreads();
    float inverse = rsqrtf(sums[0] / cols + 1e-5f);
    for (int j = threadIdx.x; j < pairs; j += blockDim.x) {
        float2 pair = __half22float2(from[j]), scale = __half22float2(reinterpret_cast<const half2*>(gamma)[j]);
        to[j] = __floats2half2_rn(pair.x * inverse * scale.x, pair.y * inverse * scale.y);
    }
}
