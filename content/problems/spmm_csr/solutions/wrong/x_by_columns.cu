// verdict: wrong_answer
// x is read as if its columns lay in one piece each: column[k] + j * cols instead of column[k] * width + j.

__global__ void spmm_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros, int width) {
    const int j = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows || j >= width) return;
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[column[k] + j * (long long)cols];
    y[(long long)row * width + j] = sum;
}
