// verdict: wrong_answer
// Divides by cols - 1, the estimate for a sample. Layer normalization divides by cols; with one column this even
// divides by zero.

__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    if (threadIdx.x > 0) return;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f, squares = 0.0f;
    for (int j = 0; j < cols; ++j) sum += from[j];
    float mean = sum / cols;
    for (int j = 0; j < cols; ++j) squares += (from[j] - mean) * (from[j] - mean);
    float inverse = rsqrtf(squares / (cols - 1) + 1e-5f);
    for (int j = 0; j < cols; ++j) to[j] = (from[j] - mean) * inverse * gamma[j] + beta[j];
}
