// cuda::barrier of a block between writing and reading.
// needs a card: mbarrier
#include <cuda/barrier>
__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ float s[256];
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[i];
    s[threadIdx.x] = v;
    ready.arrive_and_wait();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int k = 0; k < 256; ++k) all += s[k];
        *out = all;
    }
}
