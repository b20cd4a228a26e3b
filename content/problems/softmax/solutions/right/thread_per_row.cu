// One thread, one row, three passes.
//
// Idea: the definition, word for word; no thread needs another one.
// Cost: the row is read three times, and neighbouring threads stand a whole row apart: every load of a warp touches
// 32 sectors and uses an eighth of each.
// Why it is here: it is the reference to compare the others with, and it shows what coalescing is worth.

//! launch softmax<<<ceil_div(rows, 64), 64>>>(x, y, rows, cols)

__global__ void softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + (long long)row * cols;
    float* to = y + (long long)row * cols;
    float top = from[0];
    for (int j = 1; j < cols; ++j) top = fmaxf(top, from[j]);
    float sum = 0.0f;
    for (int j = 0; j < cols; ++j) sum += expf(from[j] - top);
    for (int j = 0; j < cols; ++j) to[j] = expf(from[j] - top) / sum;
}
