// verdict: race
// Read, add one, write back: whoever reads between another's read and write takes away its count.

__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        mine[x[i]] += 1;
    }
    __syncthreads();
    counts[threadIdx.x] = mine[threadIdx.x];
}
