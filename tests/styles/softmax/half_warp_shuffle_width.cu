// Shuffles of width 8: four rows a warp.
//! launch softmax<<<ceil_div(rows, 16), 128>>>(x, y, rows, cols)
__global__ void softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * 16 + threadIdx.x / 8, t = threadIdx.x % 8;
    bool there = row < rows;
    const float* from = x + (there ? (size_t)row * cols : 0);
    float top = -INFINITY, sum = 0;
    for (int j = t; there && j < cols; j += 8) top = fmaxf(top, from[j]);
    for (int d = 4; d; d /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, d, 8));
    for (int j = t; there && j < cols; j += 8) sum += expf(from[j] - top);
    for (int d = 4; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d, 8);
    sum = __shfl_sync(~0u, sum, 0, 8);
    for (int j = t; there && j < cols; j += 8) y[(size_t)row * cols + j] = expf(from[j] - top) / sum;
}
