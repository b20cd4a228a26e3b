// verdict: wrong_answer
// The mean of the squares minus the square of the mean: near 4096 both are near 16.8 million, and the rest is lost.

__global__ void column_variance(const float* x, float* mean, float* variance, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < rows; ++i) {
        float value = x[(long long)i * cols + col];
        sum += value;
        squares += value * value;
    }
    mean[col] = sum / rows;
    variance[col] = squares / rows - sum / rows * (sum / rows);
}
