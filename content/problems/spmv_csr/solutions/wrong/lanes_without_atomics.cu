// verdict: race
// 32 threads of a row add their sums to y with +=, and most of them are lost.

//! launch clear<<<ceil_div(rows, 256), 256>>>(y, rows)
//! launch spmv_csr<<<rows, 32>>>(row_start, column, value, x, y, rows, cols, nonzeros)

__global__ void clear(float* y, int rows) {
    int row = blockIdx.x * 256 + threadIdx.x;
    if (row < rows) y[row] = 0.0f;
}

__global__ void spmv_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros) {
    const int row = blockIdx.x;
    float sum = 0.0f;
    for (int k = row_start[row] + threadIdx.x; k < row_start[row + 1]; k += 32) sum += value[k] * x[column[k]];
    y[row] += sum;
}
