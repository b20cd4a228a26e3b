// A warp transposes 32 x 32 in registers through one shared row at a time.
//! launch transpose<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), 32>>>(x, y, rows, cols)
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float line[32];
    int lane = threadIdx.x, col = blockIdx.x * 32 + lane, row0 = blockIdx.y * 32;
    float held[32];
#pragma unroll
    for (int k = 0; k < 32; ++k) held[k] = row0 + k < rows && col < cols ? __ldg(x + (size_t)(row0 + k) * cols + col) : 0.0f;
#pragma unroll
    for (int c = 0; c < 32; ++c) {
        if (lane == c)
            for (int k = 0; k < 32; ++k) line[k] = held[k];
        __syncwarp();
        int to = blockIdx.x * 32 + c;
        if (to < cols && row0 + lane < rows) y[(size_t)to * rows + row0 + lane] = line[lane];
        __syncwarp();
    }
}
