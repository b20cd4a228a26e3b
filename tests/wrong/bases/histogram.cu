__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ int bins[256];
    int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    for (int i = t; i < n; i += 256)
        atomicAdd(&bins[x[i]], 1);
    __syncthreads();
    counts[t] = bins[t];
}
