// Expected values of gemm_bias_gelu in double: 64 x 64 tiles, 4 x 4 results per thread.
//! launch expect_product<<<dim3(ceil_div(n, 64), ceil_div(m, 64)), 256>>>(a, b, bias, expected_y, magnitude_y, m, n, k)

#include <cuda_fp16.h>

constexpr int kTile = 64, kDepth = 16;

__global__ void __launch_bounds__(256) expect_product(const half* a, const half* b, const half* bias, double* expected,
                                                      double* magnitude, int m, int n, int k) {
    __shared__ double tile_a[kDepth][kTile + 1], tile_b[kDepth][kTile + 1];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
    double sum[4][4] = {}, total[4][4] = {};
    for (int p0 = 0; p0 < k; p0 += kDepth) {
        for (int e = threadIdx.x; e < kTile * kDepth; e += 256) {
            int i = e / kDepth, p = e % kDepth;
            bool inside = p0 + p < k;
            tile_a[p][i] = inside && row0 + i < m ? __half2float(a[(long long)(row0 + i) * k + p0 + p]) : 0.0f;
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
                const double shift = __half2float(bias[col]), z = sum[i][j] + shift;
                expected[(long long)row * n + col] = 0.5 * z * (1.0 + erf(z * 0.70710678118654752440));
                magnitude[(long long)row * n + col] = 1.13 * (total[i][j] + fabs(shift));
            }
        }
    }
}

// From -1/16 to 1/16: at k = 4096 the sums then lie where GELU is curved.
__global__ void fill_b(half* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = __float2half(float(int(bits >> 40) - (1 << 23)) / float(1 << 27));
    }
}
