//! launch transpose<<<3, dim3(32, 8)>>>(x, y, rows, cols)
// Few blocks walk over all tiles.
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    int across = (cols + 31) / 32, tiles = across * ((rows + 31) / 32);
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        int c0 = t % across * 32, r0 = t / across * 32;
        for (int k = threadIdx.y; k < 32; k += 8)
            if (r0 + k < rows && c0 + threadIdx.x < cols) tile[k][threadIdx.x] = x[(size_t)(r0 + k) * cols + c0 + threadIdx.x];
        __syncthreads();
        for (int k = threadIdx.y; k < 32; k += 8)
            if (c0 + k < cols && r0 + threadIdx.x < rows) y[(size_t)(c0 + k) * rows + r0 + threadIdx.x] = tile[threadIdx.x][k];
        __syncthreads();
    }
}
