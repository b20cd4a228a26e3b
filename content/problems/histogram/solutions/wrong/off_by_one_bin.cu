// verdict: memory_error
// Bins counted from 1: value 255 lands behind the last counter.

__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&mine[x[i] + 1], 1);
    }
    __syncthreads();
    counts[threadIdx.x] = mine[threadIdx.x];
}
