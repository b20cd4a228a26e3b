// verdict: wrong_answer
// A row without numbers is left alone, and its y keeps the garbage that was there.

__global__ void spmv_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || row_start[row] == row_start[row + 1]) return;
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
}
