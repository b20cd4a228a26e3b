// Sparse matrix times vector: y[i] = the sum of value[k] * x[column[k]] over the numbers k of row i.
//
// Started with one thread for each row. As it stands only the first number of a row counts, and a row without numbers reads
// one of the next.

__global__ void spmv_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int k = row_start[row];

    // fill in: all numbers of the row, from row_start[row] up to, but not including, row_start[row + 1]
    y[row] = k < nonzeros ? value[k] * x[column[k]] : 0.0f;
}
