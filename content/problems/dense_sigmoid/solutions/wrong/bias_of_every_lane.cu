// verdict: wrong_answer
// All 32 lanes start from the bias, so it is counted 32 times.

//! launch dense_sigmoid<<<ceil_div(m, 8), 256>>>(w, x, b, y, m, n)

__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row = blockIdx.x * 8 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= m) return;
    float sum = b[row];
    for (int j = lane; j < n; j += 32) {
        sum += w[(long long)row * n + j] * x[j];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0) {
        y[row] = 1.0f / (1.0f + expf(-sum));
    }
}
