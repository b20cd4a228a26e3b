// cuda::atomic_ref over shared memory at block scope.
#include <cuda/atomic>
__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
    cuda::atomic_ref<float, cuda::thread_scope_block> total(all);
    total.fetch_add(sum, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) *out = all;
}
