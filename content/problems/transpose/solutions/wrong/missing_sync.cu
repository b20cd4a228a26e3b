// verdict: race
// A thread writes out elements that other threads put into the tile, without waiting for them.

__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) {
        if (row + k < rows && col < cols) {
            tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * cols + col];
        }
    }
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) {
        if (row < rows && col + k < cols) {
            y[(col + k) * rows + row] = tile[threadIdx.x][threadIdx.y + k];
        }
    }
}
