// verdict: race
// Without the second barrier a fast warp fills the next tile while a slow one still reads this one.

//! launch int8_gemm<<<dim3(ceil_div(n, 64), ceil_div(m, 64)), 256>>>(a, b, c, m, n, k)

constexpr int kTile = 64, kWords = 8;

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    __shared__ int tile_a[kWords][kTile + 1], tile_b[kWords][kTile + 1];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile, words = k / 4;
    const int *left = reinterpret_cast<const int*>(a), *right = reinterpret_cast<const int*>(b);
    int sum[4][4] = {};
    for (int p0 = 0; p0 < words; p0 += kWords) {
        for (int e = threadIdx.x; e < kTile * kWords; e += 256) {
            const int i = e / kWords, p = e % kWords;
            const bool inside = p0 + p < words;
            tile_a[p][i] = inside && row0 + i < m ? left[(long long)(row0 + i) * words + p0 + p] : 0;
            tile_b[p][i] = inside && col0 + i < n ? right[(long long)(col0 + i) * words + p0 + p] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < kWords; ++p) {
            int x[4], y[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                x[i] = tile_a[p][ty + 16 * i];
                y[i] = tile_b[p][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] = __dp4a(x[i], y[j], sum[i][j]);
            }
        }
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
            if (row < m && col < n) c[(long long)row * n + col] = sum[i][j];
        }
    }
}
