// verdict: race
// The first row of threads makes the mean, and the others use it without waiting.

//! launch column_variance<<<ceil_div(cols, 32), dim3(32, 8)>>>(x, mean, variance, rows, cols)

__global__ void column_variance(const float* x, float* mean, float* variance, int rows, int cols) {
    __shared__ float middle[32], parts[8][32];
    const int col = blockIdx.x * 32 + threadIdx.x, lane = threadIdx.x, row = threadIdx.y;
    if (row == 0) {
        float sum = 0.0f;
        for (int i = 0; col < cols && i < rows; ++i) sum += x[(long long)i * cols + col];
        middle[lane] = sum / rows;
    }
    float squares = 0.0f;
    for (int i = row; col < cols && i < rows; i += 8) {
        float distance = x[(long long)i * cols + col] - middle[lane];
        squares += distance * distance;
    }
    parts[row][lane] = squares;
    __syncthreads();
    if (row == 0 && col < cols) {
        for (int r = 1; r < 8; ++r) squares += parts[r][lane];
        mean[col] = middle[lane];
        variance[col] = squares / rows;
    }
}
