// Three dimensions of threads, rows as pointers.
//! launch matrix_add<<<dim3(ceil_div(cols, 16), ceil_div(rows, 16)), dim3(16, 4, 4)>>>(a, b, c, rows, cols)
__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    int row = blockIdx.y * 16 + threadIdx.z * 4 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= rows) return;
    const float *from = a + row * cols, *and_from = b + row * cols;
    float* to = c + row * cols;
    if (col < cols) to[col] = from[col] + and_from[col];
}
