// One thread, one row.
//
// Idea: the definition.
// Cost: lanes are in different rows, so each load touches up to 32 sectors; a warp waits for its longest row.
// Why an empty row needs no care: the loop does nothing, and 0 is written.

__global__ void spmv_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
}
