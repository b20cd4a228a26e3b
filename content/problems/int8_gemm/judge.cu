// Expected values of int8_gemm, exact in whole numbers: 64 x 64 tiles, four products to an instruction.
//! launch expect_product<<<dim3(ceil_div(n, 64), ceil_div(m, 64)), 256>>>(a, b, expected_c, m, n, k)

constexpr int kTile = 64, kWords = 16;

__global__ void __launch_bounds__(256) expect_product(const signed char* a, const signed char* b, int* expected, int m,
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
        for (int p = 0; p < kWords; ++p) {
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) sum[i][j] = __dp4a(tile_a[p][ty + 16 * i], tile_b[p][tx + 16 * j], sum[i][j]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
            if (row < m && col < n) expected[(long long)row * n + col] = sum[i][j];
        }
    }
}

// Every number of eight bits.
__device__ void fill(signed char* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = (signed char)(bits >> 56);
    }
}

__global__ void fill_a(signed char* data, unsigned long long elements, unsigned long long seed) {
    fill(data, elements, seed);
}

__global__ void fill_b(signed char* data, unsigned long long elements, unsigned long long seed) {
    fill(data, elements, seed + 0x5851F42D4C957F2Dull);
}
