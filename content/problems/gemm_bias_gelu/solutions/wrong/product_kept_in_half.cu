// verdict: wrong_answer
// Two kernels with the product as halves between them: it is rounded before GELU, and again after it.

//! scratch product half m*n
//! launch multiply<<<dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16)>>>(a, b, product, m, n, k)
//! launch finish<<<ceil_div(m*n, 256), 256>>>(product, bias, y, m, n)

#include <cuda_fp16.h>

__device__ float gelu(float z) { return 0.5f * z * (1.0f + erff(z * 0.70710678f)); }

__global__ void multiply(const half* a, const half* b, half* product, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += __half2float(a[(long long)row * k + p]) * __half2float(b[(long long)col * k + p]);
    product[(long long)row * n + col] = __float2half(sum);
}

__global__ void finish(const half* product, const half* bias, half* y, int m, int n) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)m * n) return;
    y[at] = __float2half(gelu(__half2float(product[at]) + __half2float(bias[at % n])));
}
