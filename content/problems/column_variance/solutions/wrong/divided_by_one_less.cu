// verdict: wrong_answer
// The variance of a sample, divided by rows - 1.

__global__ void column_variance(const float* x, float* mean, float* variance, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < rows; ++i) sum += x[(long long)i * cols + col];
    const float middle = sum / rows;
    for (int i = 0; i < rows; ++i) {
        float distance = x[(long long)i * cols + col] - middle;
        squares += distance * distance;
    }
    mean[col] = middle;
    variance[col] = squares / max(1, rows - 1);
}
