// verdict: wrong_answer
// The block is 8 rows high, the tile 32: without a loop three of four rows are never moved.

__global__ void transpose(const float* x, float* y, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = x[row * cols + col];
    }
}
