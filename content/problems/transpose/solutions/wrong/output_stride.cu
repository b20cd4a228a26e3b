// verdict: wrong_answer
// Writes with the row length of the input. For a square matrix that is the same number; otherwise results overlap.
// Kept inside the array by a check, so that only the values tell.

__global__ void transpose(const float* x, float* y, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        int row = blockIdx.y * 32 + threadIdx.y + k;
        int to = row * cols + col;
        if (row < rows && col < cols && to < rows * cols) {
            y[to] = x[row * cols + col];
        }
    }
}
