// verdict: wrong_answer
// A lane has four columns, and width / 4 is rounded down: what is left of a row is never written.

//! launch spmm_csr<<<dim3(rows, ceil_div(width, 128)), 32>>>(row_start, column, value, x, y, rows, cols, nonzeros, width)

__global__ void spmm_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros, int width) {
    const int four = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x;
    if (four >= width / 4) return;
    float sum[4] = {};
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) {
        for (int q = 0; q < 4; ++q) sum[q] += value[k] * x[column[k] * (long long)width + 4 * four + q];
    }
    for (int q = 0; q < 4; ++q) y[(long long)row * width + 4 * four + q] = sum[q];
}
