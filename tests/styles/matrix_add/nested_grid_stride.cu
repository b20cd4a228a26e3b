//! launch matrix_add<<<dim3(2, 3), dim3(8, 4)>>>(a, b, c, rows, cols)
// Two nested grid-stride loops.
__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y)
        for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < cols; col += gridDim.x * blockDim.x)
            c[(long long)row * cols + col] = a[(long long)row * cols + col] + b[(long long)row * cols + col];
}
