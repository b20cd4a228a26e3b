// A warp per row: coalesced, and 32 times as many threads.
//
// Idea: the lanes take every 32nd product each and join their sums with shuffles.
// Cost: 4 bytes per weight from device memory; x comes from the caches, one load of it per weight.
// Why no shared memory: 32 lanes can exchange registers directly, and nobody outside the warp needs the sum.

//! launch dense_sigmoid<<<ceil_div(m, 8), 256>>>(w, x, b, y, m, n)

__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row = blockIdx.x * 8 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= m) return;  // the whole warp leaves together, so the shuffles below are complete
    float sum = 0.0f;
    for (int j = lane; j < n; j += 32) {
        sum += w[(long long)row * n + j] * x[j];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0) {
        float z = sum + b[row];
        y[row] = 1.0f / (1.0f + expf(-z));
    }
}
