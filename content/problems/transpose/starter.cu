// Transpose: y[col * rows + row] = x[row * cols + col].
//
// Started with 32 x 8 threads for each tile of 32 x 32 elements. As it stands only the first 8 rows of every tile
// are written; the loop over the other 24 is missing.

__global__ void transpose(const float* x, float* y, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    // fill in: repeat for row + 8, row + 16 and row + 24; then think about the order of the writes
    if (row < rows && col < cols) {
        y[col * rows + row] = x[row * cols + col];
    }
}
