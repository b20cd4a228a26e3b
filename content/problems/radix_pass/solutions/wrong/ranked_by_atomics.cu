// verdict: wrong_answer
// Four keys for each thread, and places handed out by atomicAdd: sorted by digit, but not in the old order.

//! scratch next int 16
//! launch count<<<1, 256>>>(keys, next, n, shift)
//! launch radix_pass<<<ceil_div(n, 1024), 256>>>(keys, sorted, next, n, shift)

__global__ void count(const unsigned* keys, int* next, int n, int shift) {
    __shared__ int counts[16];
    if (threadIdx.x < 16) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) atomicAdd(&counts[keys[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) {
        int before = 0;
        for (int d = 0; d < threadIdx.x; ++d) before += counts[d];
        next[threadIdx.x] = before;
    }
}

__global__ void radix_pass(const unsigned* keys, unsigned* sorted, int* next, int n, int shift) {
    long long first = (blockIdx.x * 256LL + threadIdx.x) * 4;
    for (long long i = first; i < first + 4 && i < n; ++i) sorted[atomicAdd(&next[keys[i] >> shift & 15], 1)] = keys[i];
}
