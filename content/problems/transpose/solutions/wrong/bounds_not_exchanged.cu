// verdict: memory_error
// After the turn the thread's x runs along the rows, but the check still compares as before.

__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) {
        tile[threadIdx.y + k][threadIdx.x] = row + k < rows && col < cols ? x[(row + k) * cols + col] : 0.0f;
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) {
        if (row < cols && col + k < rows) {
            y[(col + k) * rows + row] = tile[threadIdx.x][threadIdx.y + k];
        }
    }
}
