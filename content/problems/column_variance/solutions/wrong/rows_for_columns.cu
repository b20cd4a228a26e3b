// verdict: memory_error
// The index of the transpose: a thread goes along a row, and with more columns than rows past the end.

__global__ void column_variance(const float* x, float* mean, float* variance, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < rows; ++i) sum += x[(long long)col * cols + i];
    const float middle = sum / rows;
    for (int i = 0; i < rows; ++i) {
        float distance = x[(long long)col * cols + i] - middle;
        squares += distance * distance;
    }
    mean[col] = middle;
    variance[col] = squares / rows;
}
