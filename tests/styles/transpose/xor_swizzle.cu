// A tile without padding: columns are exchanged by xor against bank conflicts.
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    int col = blockIdx.x * 32 + threadIdx.x, row0 = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (row0 + k < rows && col < cols) tile[k][threadIdx.x ^ k] = x[(size_t)(row0 + k) * cols + col];
    __syncthreads();
    int row = row0 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (blockIdx.x * 32 + k < cols && row < rows) y[(size_t)(blockIdx.x * 32 + k) * rows + row] = tile[threadIdx.x][k ^ threadIdx.x];
}
