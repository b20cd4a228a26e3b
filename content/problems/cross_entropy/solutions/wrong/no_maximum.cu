// verdict: wrong_answer
// The formula as it stands in the book: exp of 10000 is infinite, exp of -1000 is zero.

//! launch cross_entropy<<<ceil_div(rows, 64), 64>>>(x, target, loss, grad, rows, cols)

__global__ void cross_entropy(const float* x, const int* target, float* loss, float* grad, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + (long long)row * cols;
    float* to = grad + (long long)row * cols;
    const int wanted = target[row];
    float sum = 0.0f;
    for (int j = 0; j < cols; ++j) sum += expf(from[j]);
    loss[row] = logf(sum) - from[wanted];
    for (int j = 0; j < cols; ++j) to[j] = expf(from[j]) / sum - (j == wanted ? 1.0f : 0.0f);
}
