// verdict: wrong_answer
// Eight parts of a column, each with a mean of its own: their squares are added as if the means were the same.

//! launch column_variance<<<ceil_div(cols, 32), dim3(32, 8)>>>(x, mean, variance, rows, cols)

__global__ void column_variance(const float* x, float* mean, float* variance, int rows, int cols) {
    __shared__ float sums[8][32], parts[8][32];
    const int col = blockIdx.x * 32 + threadIdx.x, lane = threadIdx.x, row = threadIdx.y;
    float sum = 0.0f, squares = 0.0f;
    int count = 0;
    for (int i = row; col < cols && i < rows; i += 8, ++count) sum += x[(long long)i * cols + col];
    const float own = count > 0 ? sum / count : 0.0f;
    for (int i = row; col < cols && i < rows; i += 8) {
        float distance = x[(long long)i * cols + col] - own;
        squares += distance * distance;
    }
    sums[row][lane] = sum;
    parts[row][lane] = squares;
    __syncthreads();
    if (row == 0 && col < cols) {
        for (int r = 1; r < 8; ++r) {
            sum += sums[r][lane];
            squares += parts[r][lane];
        }
        mean[col] = sum / rows;
        variance[col] = squares / rows;
    }
}
