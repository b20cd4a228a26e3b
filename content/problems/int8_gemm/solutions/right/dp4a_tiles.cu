// 64 x 64 results for a block, 4 x 4 for each thread, four products to an instruction.
//
// Idea: four neighbours along k are one word, in memory, in shared memory and for __dp4a, which multiplies four pairs of
// signed bytes and adds them to an int.
// Cost: eight reads of shared memory for 16 instructions, which are 64 multiply-adds.
// Why a row of the tile has 65 words: with 64 the eight words that are stored from one row would meet in one bank.

//! launch int8_gemm<<<dim3(ceil_div(n, 64), ceil_div(m, 64)), 256>>>(a, b, c, m, n, k)

constexpr int kTile = 64, kWords = 8;

__global__ void __launch_bounds__(256) int8_gemm(const signed char* a, const signed char* b, int* c, int m,
                                                 int n, int k) {
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
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
            if (row < m && col < n) c[(long long)row * n + col] = sum[i][j];
        }
    }
}
