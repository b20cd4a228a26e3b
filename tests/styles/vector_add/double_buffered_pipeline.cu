// cuda::pipeline of one thread copies tiles into shared memory ahead of their use.
#include <cuda/pipeline>
//! launch vector_add<<<4, 64>>>(a, b, c, n)
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    __shared__ float u[2][64], v[2][64];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, tiles = (n + 63) / 64;
    auto fetch = [&](int tile, int stage) {
        pipe.producer_acquire();
        int i = tile * 64 + t;
        if (i < n) {
            cuda::memcpy_async(&u[stage][t], a + i, sizeof(float), pipe);
            cuda::memcpy_async(&v[stage][t], b + i, sizeof(float), pipe);
        }
        pipe.producer_commit();
    };
    int stage = 0;
    if (blockIdx.x < tiles) fetch(blockIdx.x, 0);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, stage ^= 1) {
        if (tile + gridDim.x < tiles) fetch(tile + gridDim.x, stage ^ 1);
        if (tile + gridDim.x < tiles) cuda::pipeline_consumer_wait_prior<1>(pipe);
        else cuda::pipeline_consumer_wait_prior<0>(pipe);
        int i = tile * 64 + t;
        if (i < n) c[i] = u[stage][t] + v[stage][t];
        pipe.consumer_release();
    }
}
