// verdict: wrong_answer
// Normalises along the columns; every access is inside the matrix.

//! launch softmax<<<ceil_div(cols, 64), 64>>>(x, y, rows, cols)

__global__ void softmax(const float* x, float* y, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    float top = x[col], sum = 0.0f;
    for (int i = 1; i < rows; ++i) top = fmaxf(top, x[i * cols + col]);
    for (int i = 0; i < rows; ++i) sum += expf(x[i * cols + col] - top);
    for (int i = 0; i < rows; ++i) y[i * cols + col] = expf(x[i * cols + col] - top) / sum;
}
