//! launch softmax<<<ceil_div(rows, 4), 128>>>(x, y, rows, cols)
// A warp for each row; the maximum and the sum by shuffles.
template <class Op>
__device__ float all_lanes(float v, Op op) {
    for (int d = 16; d; d >>= 1) v = op(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}
__global__ void softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* from = x + (size_t)row * cols;
    float top = -INFINITY, sum = 0;
    for (int j = lane; j < cols; j += 32) top = fmaxf(top, from[j]);
    top = all_lanes(top, [](float a, float b) { return fmaxf(a, b); });
    for (int j = lane; j < cols; j += 32) sum += expf(from[j] - top);
    sum = all_lanes(sum, [](float a, float b) { return a + b; });
    for (int j = lane; j < cols; j += 32) y[(size_t)row * cols + j] = expf(from[j] - top) / sum;
}
