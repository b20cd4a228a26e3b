// Matrix addition: c[row, col] = a[row, col] + b[row, col], all stored row by row.
//
// Started as matrix_add<<<dim3(ceil_div(cols, 32), ceil_div(rows, 8)), dim3(32, 8)>>>(a, b, c, rows, cols).
// The indices are there; as it stands every element becomes zero.

__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        int position = row * cols + col;
        c[position] = 0.0f;  // fill in: the sum of the two elements at this position
    }
}
