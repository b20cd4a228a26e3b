// verdict: race
// A fast warp counts before a slow one has cleared its share of the counters, and its counts are wiped out.

__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&mine[x[i]], 1);
    }
    __syncthreads();
    counts[threadIdx.x] = mine[threadIdx.x];
}
