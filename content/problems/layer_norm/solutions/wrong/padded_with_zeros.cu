// verdict: wrong_answer
// The row is padded to a whole number of warps, and the padding counts: each missing element adds (0 - mean)^2.

__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    if (threadIdx.x >= 32) return;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f, squares = 0.0f;
    for (int j = threadIdx.x; j < cols; j += 32) sum += from[j];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    float mean = sum / cols;
    for (int j = threadIdx.x; j - threadIdx.x < cols; j += 32) {
        float value = j < cols ? from[j] : 0.0f;
        squares += (value - mean) * (value - mean);
    }
    for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, d);
    float inverse = rsqrtf(squares / cols + 1e-5f);
    for (int j = threadIdx.x; j < cols; j += 32) to[j] = (from[j] - mean) * inverse * gamma[j] + beta[j];
}
