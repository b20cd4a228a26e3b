__global__ void transpose(const float* x, float* y, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        int row = blockIdx.y * 32 + threadIdx.y + k;
        if (row < rows && col < cols)
            y[col * rows + row] = x[row * cols + col];
    }
}
