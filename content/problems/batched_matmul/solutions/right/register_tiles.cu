// A block makes 64 x 64 results, each thread 4 x 4 of them.
//
// Idea: at the measured size a block makes a whole product, so that every number is read once.
// Cost: 8 reads of shared memory for 16 multiply-adds; 8 KB of shared memory.
// Why a thread's rows and columns are 16 apart: neighbouring threads then read neighbouring words.

//! launch batched_matmul<<<dim3(ceil_div(n, 64), ceil_div(m, 64), batch), 256>>>(a, b, c, batch, m, n, k)

constexpr int kTile = 64, kDepth = 16;

__global__ void __launch_bounds__(256) batched_matmul(const float* __restrict__ a, const float* __restrict__ b,
                                                      float* __restrict__ c, int batch, int m, int n, int k) {
    __shared__ float tile_a[kDepth][kTile + 1], tile_b[kDepth][kTile];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
    a += (long long)blockIdx.z * m * k;
    b += (long long)blockIdx.z * k * n;
    c += (long long)blockIdx.z * m * n;
    float sum[4][4] = {};
    for (int p0 = 0; p0 < k; p0 += kDepth) {
#pragma unroll
        for (int e = threadIdx.x; e < kTile * kDepth; e += 256) {
            int i = e / kDepth, p = e % kDepth;
            tile_a[p][i] = row0 + i < m && p0 + p < k ? a[(row0 + i) * k + p0 + p] : 0.0f;
            int q = e / kTile, j = e % kTile;
            tile_b[q][j] = p0 + q < k && col0 + j < n ? b[(p0 + q) * n + col0 + j] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
            float left[4], right[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                left[i] = tile_a[p][ty + 16 * i];
                right[i] = tile_b[p][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] += left[i] * right[j];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
            if (row < m && col < n) c[row * n + col] = sum[i][j];
        }
    }
}
