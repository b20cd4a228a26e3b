//! launch transpose<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(8, 32)>>>(x, y, rows, cols)
// float4 loads where a row allows them, four scalar stores from a padded tile.
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][36];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x * 4;
    if (row < rows) {
        if (cols % 4 == 0 && col + 3 < cols) {
            *reinterpret_cast<float4*>(&tile[threadIdx.y][threadIdx.x * 4]) = *reinterpret_cast<const float4*>(x + (size_t)row * cols + col);
        } else {
            for (int k = 0; k < 4 && col + k < cols; ++k) tile[threadIdx.y][threadIdx.x * 4 + k] = x[(size_t)row * cols + col + k];
        }
    }
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        int to = blockIdx.x * 32 + threadIdx.y, from = blockIdx.y * 32 + threadIdx.x + k * 8;
        if (to < cols && from < rows) y[(size_t)to * rows + from] = tile[threadIdx.x + k * 8][threadIdx.y];
    }
}
