// Expected values of sparse24_matmul in double: A is written out tile by tile; 64 x 64 tiles, 4 x 4 results per thread.
//! launch expect_product<<<dim3(ceil_div(n, 64), ceil_div(m, 64)), 256>>>(values, places, b, expected_c, magnitude_c, m, n, k)

#include <cuda_fp16.h>

constexpr int kTile = 64, kDepth = 16;

// Element (row, column) of A: 0 if neither of the two places of its group of four is this one.
__device__ float element(const half* values, const unsigned* places, int row, int column, int k) {
    const unsigned pair = places[(long long)row * (k / 32) + column / 32] >> (column % 32 / 4 * 4) & 15;
    const half* kept = values + (long long)row * (k / 2) + column / 4 * 2;
    const unsigned at = column % 4;
    return at == (pair & 3) ? __half2float(kept[0]) : at == pair >> 2 ? __half2float(kept[1]) : 0.0f;
}

__global__ void __launch_bounds__(256) expect_product(const half* values, const unsigned* places, const half* b,
                                                      double* expected, double* magnitude, int m, int n, int k) {
    __shared__ double tile_a[kDepth][kTile + 1], tile_b[kDepth][kTile + 1];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
    double sum[4][4] = {}, total[4][4] = {};
    for (int p0 = 0; p0 < k; p0 += kDepth) {
        for (int e = threadIdx.x; e < kTile * kDepth; e += 256) {
            int i = e / kDepth, p = e % kDepth;
            bool inside = p0 + p < k;
            tile_a[p][i] = inside && row0 + i < m ? element(values, places, row0 + i, p0 + p, k) : 0.0f;
            tile_b[p][i] = inside && col0 + i < n ? __half2float(b[(long long)(col0 + i) * k + p0 + p]) : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    double left = tile_a[p][ty + 16 * i], right = tile_b[p][tx + 16 * j];
                    sum[i][j] = fma(left, right, sum[i][j]);
                    total[i][j] = fma(fabs(left), fabs(right), total[i][j]);
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
            if (row < m && col < n) {
                expected[(long long)row * n + col] = sum[i][j];
                magnitude[(long long)row * n + col] = total[i][j];
            }
        }
    }
}

// Two different places of four for each group, the smaller one first.
__global__ void fill_places(unsigned* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        unsigned word = 0;
        for (int group = 0; group < 8; ++group) {
            const unsigned pairs = 0xED9C84;  // the six pairs, a digit each
            word |= (pairs >> (bits >> (8 * group) & 255) % 6 * 4 & 15) << (4 * group);
        }
        data[i] = word;
    }
}
