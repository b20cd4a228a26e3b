// Sparse matrix times a dense one: y[i, j] = the sum of value[k] * x[column[k], j] over the numbers k of row i.
//
// Started with 32 x 8 threads: x along the columns of y, which lie side by side in memory, y along its rows. As it stands
// only the first number of a row counts, and a row without numbers takes one of the next.

__global__ void spmm_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros, int width) {
    const int j = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows || j >= width) return;
    const int k = row_start[row];

    // fill in: all numbers of the row, from row_start[row] up to, but not including, row_start[row + 1]
    y[(long long)row * width + j] = k < nonzeros ? value[k] * x[column[k] * (long long)width + j] : 0.0f;
}
