// verdict: wrong_answer
// Sums in half precision: 11 bits, and each addition rounds. The tolerance is that of float32.

#include <cuda_fp16.h>

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        __half sum = __float2half(0.0f);
        for (int p = 0; p < k; ++p) {
            sum = __hfma(__float2half(a[row * k + p]), __float2half(b[p * n + col]), sum);
        }
        c[row * n + col] = __half2float(sum);
    }
}
