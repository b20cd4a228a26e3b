// verdict: memory_error
// Eight rows per block, and the last block has fewer: the warps without a row read past the weights.

//! launch dense_sigmoid<<<ceil_div(m, 8), 256>>>(w, x, b, y, m, n)

__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row = blockIdx.x * 8 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int j = lane; j < n; j += 32) {
        sum += w[(long long)row * n + j] * x[j];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0 && row < m) {
        y[row] = 1.0f / (1.0f + expf(-(sum + b[row])));
    }
}
