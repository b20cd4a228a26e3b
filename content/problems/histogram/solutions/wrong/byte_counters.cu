// verdict: wrong_answer
// Four counters to a word save shared memory, but a counter of 8 bits is full at 255 and carries into its neighbour.

__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ unsigned packed[64];
    if (threadIdx.x < 64) packed[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&packed[x[i] / 4], 1u << (x[i] % 4 * 8));
    }
    __syncthreads();
    counts[threadIdx.x] = packed[threadIdx.x / 4] >> (threadIdx.x % 4 * 8) & 255;
}
