// Four columns for each lane, 16 lanes for 64 columns of a row.
//
// Idea: a float4 of x for each number: column and value are read once for four multiply-adds.
// Cost: three loads for four multiply-adds; each row of x comes from L1 or L2 for all but the first of its uses.
// Why 16 rows in a block: rows that stand together use the same rows of x while they are in L1.
// A width that is no multiple of 4 goes one column after the other.

//! launch spmm_csr<<<dim3(ceil_div(rows, 16), ceil_div(width, 64)), dim3(16, 16)>>>(row_start, column, value, x, y, rows, cols, nonzeros, width)

__global__ void __launch_bounds__(256) spmm_csr(const int* __restrict__ row_start, const int* __restrict__ column,
                                                const float* __restrict__ value, const float* __restrict__ x,
                                                float* __restrict__ y, int rows, int cols, int nonzeros, int width) {
    const int j = blockIdx.y * 64 + threadIdx.x * 4, row = blockIdx.x * 16 + threadIdx.y;
    if (row >= rows || j >= width) return;
    const int begin = row_start[row], end = row_start[row + 1];
    float* to = y + (long long)row * width + j;
    if (width % 4 != 0) {
        for (int q = 0; q < min(4, width - j); ++q) {
            float sum = 0.0f;
            for (int k = begin; k < end; ++k) sum += value[k] * x[column[k] * (long long)width + j + q];
            to[q] = sum;
        }
        return;
    }
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 4
    for (int k = begin; k < end; ++k) {
        const float factor = value[k];
        const float4 four = *reinterpret_cast<const float4*>(x + column[k] * (long long)width + j);
        sum.x += factor * four.x;
        sum.y += factor * four.y;
        sum.z += factor * four.z;
        sum.w += factor * four.w;
    }
    *reinterpret_cast<float4*>(to) = sum;
}
