// verdict: wrong_answer
// A row without numbers is left alone, and its row of y keeps the garbage that was there.

__global__ void spmm_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros, int width) {
    const int j = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows || j >= width || row_start[row] == row_start[row + 1]) return;
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[column[k] * (long long)width + j];
    y[(long long)row * width + j] = sum;
}
