// Eight lanes for each row, four rows for each warp.
//
// Idea: lanes that share a row read its numbers side by side.
// Cost: 8 bytes per number from memory, and one sector of x for each, from L2.
// Why eight: rows have 16 numbers on average, and eight numbers fill a sector.

//! launch spmv_csr<<<ceil_div(rows, 32), 256>>>(row_start, column, value, x, y, rows, cols, nonzeros)

__global__ void __launch_bounds__(256) spmv_csr(const int* __restrict__ row_start, const int* __restrict__ column,
                                                const float* __restrict__ value, const float* __restrict__ x,
                                                float* __restrict__ y, int rows, int cols, int nonzeros) {
    const int row = blockIdx.x * 32 + threadIdx.x / 8, lane = threadIdx.x % 8;
    const int begin = row < rows ? row_start[row] : 0, end = row < rows ? row_start[row + 1] : 0;
    float sum = 0.0f;
    for (int k = begin + lane; k < end; k += 8) sum += value[k] * x[column[k]];
    for (int d = 4; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0 && row < rows) y[row] = sum;
}
