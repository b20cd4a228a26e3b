// verdict: wrong_answer
// The approximation with tanh: up to 0.0005 off, most where the result is small and a half could say it exactly.

#include <cuda_fp16.h>

__device__ float gelu(float z) { return 0.5f * z * (1.0f + tanhf(0.79788456f * (z + 0.044715f * z * z * z))); }

__global__ void gemm_bias_gelu(const half* a, const half* b, const half* bias, half* y, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += __half2float(a[(long long)row * k + p]) * __half2float(b[(long long)col * k + p]);
    y[(long long)row * n + col] = __float2half(gelu(sum + __half2float(bias[col])));
}
