// Conversions by the types' own operators, a lambda for the dot product.
#include <cuda_fp16.h>
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    auto dot = [k](const half* u, const half* v) -> float {
        float sum = 0;
        for (int p = 0; p < k; ++p) sum = __fmaf_rn(float(u[p]), static_cast<float>(v[p]), sum);
        return sum;
    };
    for (int i = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 16 + threadIdx.x; i < m * n; i += gridDim.x * gridDim.y * 256)
        c[i] = dot(a + i / n * k, b + i % n * k);
}
