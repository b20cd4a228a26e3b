// verdict: wrong_answer
// Eight lanes share a row, and the shuffles join only four of them.

//! launch spmv_csr<<<ceil_div(rows, 32), 256>>>(row_start, column, value, x, y, rows, cols, nonzeros)

__global__ void spmv_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros) {
    const int row = blockIdx.x * 32 + threadIdx.x / 8, lane = threadIdx.x % 8;
    const int begin = row < rows ? row_start[row] : 0, end = row < rows ? row_start[row + 1] : 0;
    float sum = 0.0f;
    for (int k = begin + lane; k < end; k += 8) sum += value[k] * x[column[k]];
    for (int d = 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0 && row < rows) y[row] = sum;
}
