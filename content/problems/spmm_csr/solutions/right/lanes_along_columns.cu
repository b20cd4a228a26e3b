// One thread, one element of y; the lanes of a warp share a row.
//
// Idea: a stored number needs a whole row of x, which lies in one piece: 32 lanes read 128 bytes of it.
// Cost: three loads for each multiply-add, two of them the same for all lanes.
// Why nobody diverges: all lanes of a warp have the same row, and so the same number of steps.

__global__ void spmm_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros, int width) {
    const int j = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows || j >= width) return;
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[column[k] * (long long)width + j];
    y[(long long)row * width + j] = sum;
}
