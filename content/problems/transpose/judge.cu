// Expected values of transpose: the plain definition, element by element.
//! launch expect_transpose<<<dim3(ceil_div(cols, 32), ceil_div(rows, 8)), dim3(32, 8)>>>(x, expected_y, rows, cols)

__global__ void expect_transpose(const float* x, double* expected, int rows, int cols) {
    long long col = blockIdx.x * blockDim.x + threadIdx.x;
    long long row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) expected[col * rows + row] = x[row * cols + col];
}
