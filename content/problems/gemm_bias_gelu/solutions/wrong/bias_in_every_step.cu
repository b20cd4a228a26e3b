// verdict: wrong_answer
// The bias is added after every 16 steps of k, not once: it is right for k = 16 alone.

#include <cuda_fp16.h>

__device__ float gelu(float z) { return 0.5f * z * (1.0f + erff(z * 0.70710678f)); }

__global__ void gemm_bias_gelu(const half* a, const half* b, const half* bias, half* y, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int p0 = 0; p0 < k; p0 += 16) {
        for (int p = p0; p < p0 + 16; ++p) {
            sum += __half2float(a[(long long)row * k + p]) * __half2float(b[(long long)col * k + p]);
        }
        sum += __half2float(bias[col]);
    }
    y[(long long)row * n + col] = __float2half(gelu(sum));
}
