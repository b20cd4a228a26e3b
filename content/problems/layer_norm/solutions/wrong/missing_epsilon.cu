// verdict: wrong_answer
// Without the small constant a row of equal numbers divides 0 by 0.

__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    if (threadIdx.x > 0) return;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f, squares = 0.0f;
    for (int j = 0; j < cols; ++j) sum += from[j];
    float mean = sum / cols;
    for (int j = 0; j < cols; ++j) squares += (from[j] - mean) * (from[j] - mean);
    float inverse = rsqrtf(squares / cols);
    for (int j = 0; j < cols; ++j) to[j] = (from[j] - mean) * inverse * gamma[j] + beta[j];
}
