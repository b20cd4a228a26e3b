//! scratch state unsigned long long ceil_div(n, 1024) zero
//! launch inclusive_scan<<<ceil_div(n, 1024), 1024>>>(x, y, state, n)
// Each tile waits for its left neighbour; state and sum travel in one atomic word.
#include <cuda/atomic>
__global__ void inclusive_scan(const int* x, int* y, unsigned long long* state, int n) {
    __shared__ int s[1024];
    __shared__ int before;
    int t = threadIdx.x, i = blockIdx.x * 1024 + t;
    s[t] = i < n ? x[i] : 0;
    for (int d = 1; d < 1024; d *= 2) {
        __syncthreads();
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
    }
    __syncthreads();
    if (t == 0) {
        using Word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
        unsigned long long left = 1ull << 32;
        if (blockIdx.x > 0)
            while (((left = Word(state[blockIdx.x - 1]).load(cuda::memory_order_acquire)) >> 32) == 0) {}
        before = (int)(unsigned)left;
        Word(state[blockIdx.x]).store(1ull << 32 | (unsigned)(before + s[1023]), cuda::memory_order_release);
    }
    __syncthreads();
    if (i < n) y[i] = s[t] + before;
}
