// verdict: memory_error
// Rows are compared with cols and the other way round, so threads beyond the last row run on.

__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < cols && col < rows) {
        int position = row * cols + col;
        c[position] = a[position] + b[position];
    }
}
