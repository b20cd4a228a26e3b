// One thread, one row of y, one column after the other.
//
// Idea: spmv, once for each column.
// Cost: lanes are in different rows of y and of x, so that each load touches up to 32 sectors; column and value are read
// anew for each column.
// Why it is here: it shows what the order of the threads is worth.

//! launch spmm_csr<<<ceil_div(rows, 256), 256>>>(row_start, column, value, x, y, rows, cols, nonzeros, width)

__global__ void spmm_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros, int width) {
    const int row = blockIdx.x * 256 + threadIdx.x;
    if (row >= rows) return;
    for (int j = 0; j < width; ++j) {
        float sum = 0.0f;
        for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[column[k] * (long long)width + j];
        y[(long long)row * width + j] = sum;
    }
}
