// One thread, one row, three passes.
//
// Idea: the definition, with the largest number subtracted.
// Cost: 16 bytes per element, and each load of a warp touches 32 rows.
// Why the loss is not the logarithm of the share: the share may be 0 in float where the loss is an ordinary number.

//! launch cross_entropy<<<ceil_div(rows, 64), 64>>>(x, target, loss, grad, rows, cols)

__global__ void cross_entropy(const float* x, const int* target, float* loss, float* grad, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + (long long)row * cols;
    float* to = grad + (long long)row * cols;
    const int wanted = target[row];
    float top = from[0], sum = 0.0f;
    for (int j = 1; j < cols; ++j) top = fmaxf(top, from[j]);
    for (int j = 0; j < cols; ++j) sum += expf(from[j] - top);
    loss[row] = logf(sum) - (from[wanted] - top);
    for (int j = 0; j < cols; ++j) to[j] = expf(from[j] - top) / sum - (j == wanted ? 1.0f : 0.0f);
}
