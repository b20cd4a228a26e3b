// uint4 loads seen as eight halves.
#include <cuda_fp16.h>
union Eight {
    uint4 word;
    __half2 pair[4];
    __device__ Eight() {}
};
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int p = 0; p < k; p += 8) {
        Eight u, v;
        u.word = *reinterpret_cast<const uint4*>(a + row * k + p);
        v.word = *reinterpret_cast<const uint4*>(b + col * k + p);
        for (int q = 0; q < 4; ++q) {
            sum += __low2float(u.pair[q]) * __low2float(v.pair[q]);
            sum += __high2float(u.pair[q]) * __high2float(v.pair[q]);
        }
    }
    c[row * n + col] = sum;
}
