// A histogram for each warp in a two-dimensional array, merged at the end.
//! launch histogram<<<1, 128>>>(x, counts, n)
__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ int bins[4][257];
    for (int e = threadIdx.x; e < 4 * 257; e += 128) (&bins[0][0])[e] = 0;
    __syncthreads();
    int* mine = bins[threadIdx.x / 32];
    for (int i = threadIdx.x; i < n; i += 128) atomicAdd_block(mine + x[i], 1);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += 128) counts[v] = bins[0][v] + bins[1][v] + bins[2][v] + bins[3][v];
}
