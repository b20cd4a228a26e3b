// A layer in one kernel: y[row, col] = gelu(sum over p of a[row, p] * b[col, p] + bias[col]), in halves, summed in float.
//
// Started as gemm_bias_gelu<<<dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16)>>>(a, b, bias, y, m, n, k): a thread for
// each result. As it stands it is the product alone. Tensor cores (nvcuda::wmma) come after that.

#include <cuda_fp16.h>

__global__ void gemm_bias_gelu(const half* a, const half* b, const half* bias, half* y, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += __half2float(a[(long long)row * k + p]) * __half2float(b[(long long)col * k + p]);
    // fill in: add the bias of the column, and apply GELU with erff, before anything is rounded to half
    y[(long long)row * n + col] = __float2half(sum);
}
