// 2:4 sparse weights times a matrix: c[row, col] = sum over the kept numbers of values[row, q] * b[col, its column].
//
// Started as sparse24_matmul<<<dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16)>>>(values, places, b, c, m, n, k): a thread for
// each element of c. Numbers 2 g and 2 g + 1 of a row belong to columns 4 g to 4 g + 3. As it stands they are taken for the first two
// of these four.

#include <cuda_fp16.h>

__global__ void sparse24_matmul(const half* values, const unsigned* places, const half* b, float* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    const half* kept = values + (long long)row * (k / 2);
    const half* right = b + (long long)col * k;
    float sum = 0.0f;
    for (int q = 0; q < k / 2; ++q) {
        const int column = q / 2 * 4 + q % 2;  // fill in: two bits of places say which of the four it is
        sum += __half2float(kept[q]) * __half2float(right[column]);
    }
    c[(long long)row * n + col] = sum;
}
