#include <cuda_fp16.h>
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p)
        sum += __half2float(a[row * k + p]) * __half2float(b[col * k + p]);
    c[row * n + col] = sum;
}
