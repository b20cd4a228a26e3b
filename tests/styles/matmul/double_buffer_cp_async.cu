// Two stages of tiles by __pipeline_memcpy_async.
#include <cuda_pipeline.h>
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float u[2][16][16], v[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    auto fetch = [&](int stage, int p) {
        if (row < m && p + tx < k) __pipeline_memcpy_async(&u[stage][ty][tx], a + row * k + p + tx, 4);
        else u[stage][ty][tx] = 0;
        if (p + ty < k && col < n) __pipeline_memcpy_async(&v[stage][ty][tx], b + (p + ty) * n + col, 4);
        else v[stage][ty][tx] = 0;
        __pipeline_commit();
    };
    float sum = 0;
    fetch(0, 0);
    for (int p = 0, stage = 0; p < k; p += 16, stage ^= 1) {
        if (p + 16 < k) {
            fetch(stage ^ 1, p + 16);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        for (int q = 0; q < 16; ++q) sum += u[stage][ty][q] * v[stage][q][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
