// half2 loads, products in float.
#include <cuda_fp16.h>
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    const half2 *u = reinterpret_cast<const half2*>(a + row * k), *v = reinterpret_cast<const half2*>(b + col * k);
    float sum = 0;
    for (int p = 0; p < k / 2; ++p) {
        float2 x = __half22float2(u[p]), y = __half22float2(__ldg(v + p));
        sum += x.x * y.x + x.y * y.y;
    }
    c[row * n + col] = sum;
}
