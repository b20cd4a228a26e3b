// A histogram of each block's own in shared memory, joined at the end.
//
// Idea: count where only 256 threads compete, then add 256 numbers per block to the result.
// Cost: one shared atomic per element, 256 global ones per block.
// Why it is not the end: 32 lanes hit 32 random counters, which collide in banks three or four deep on average, and
// if all elements are equal they queue 32 deep.

//! launch clear<<<1, 256>>>(counts)
//! launch histogram<<<min(ceil_div(n, 256), 1056), 256>>>(x, counts, n)

__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void __launch_bounds__(256) histogram(const int* x, int* counts, int n) {
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        atomicAdd(&mine[x[i]], 1);
    }
    __syncthreads();
    if (mine[threadIdx.x] > 0) {
        atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
    }
}
