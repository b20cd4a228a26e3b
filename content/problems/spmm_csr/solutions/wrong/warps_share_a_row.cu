// verdict: race
// Eight warps take turns with the numbers of a row and add their sums to y with +=; most of them are lost.

//! launch clear<<<ceil_div(rows*width, 256), 256>>>(y, rows, width)
//! launch spmm_csr<<<dim3(rows, ceil_div(width, 32)), dim3(32, 8)>>>(row_start, column, value, x, y, rows, cols, nonzeros, width)

__global__ void clear(float* y, int rows, int width) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at < (long long)rows * width) y[at] = 0.0f;
}

__global__ void spmm_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows,
                         int cols, int nonzeros, int width) {
    const int j = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x;
    if (j >= width) return;
    float sum = 0.0f;
    for (int k = row_start[row] + threadIdx.y; k < row_start[row + 1]; k += 8) {
        sum += value[k] * x[column[k] * (long long)width + j];
    }
    y[(long long)row * width + j] += sum;
}
