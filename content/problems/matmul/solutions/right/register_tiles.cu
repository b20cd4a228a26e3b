// Tiles in registers: 8 x 8 results per thread, 128 x 128 per block, the next tile fetched while this one is used.
//
// Idea: what limits a shared-memory kernel is operands per multiply-add. A thread that holds 8 elements of A and 8 of
// B in registers does 64 multiply-adds with them: a quarter of an operand for each instead of two.
// Cost: per step of k a warp issues 64 FMA and 4 16-byte shared loads. 64 accumulators and the operands take some
// 140 registers, so a multiprocessor holds one block of 256 threads; that is enough, because the 64 FMAs of a step are
// independent of each other. (Squeezed into 128 registers, for two blocks, it is 5% slower on an H200.)
// Why A is stored transposed in shared memory: the 8 elements of a column then lie side by side, and two float4 loads
// fetch them. Why two buffers: loading tile t + 1 into registers before computing on tile t hides the latency of
// device memory, and with two buffers one barrier per tile is enough.

//! launch matmul<<<dim3(ceil_div(n, 128), ceil_div(m, 128)), 256>>>(a, b, c, m, n, k)

constexpr int kTileM = 128, kTileN = 128, kTileK = 16;
constexpr int kPitchA = kTileM + 4;  // keeps float4 alignment and spreads the transposing stores over the banks

// Four neighbours of one row, zeros outside; one 16-byte load where the row's length allows alignment.
__device__ __forceinline__ float4 load4(const float* row, int col, int cols, bool row_inside, bool aligned) {
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (!row_inside) return v;
    if (aligned && col < cols) return *reinterpret_cast<const float4*>(row + col);
    if (col + 0 < cols) v.x = row[col + 0];
    if (col + 1 < cols) v.y = row[col + 1];
    if (col + 2 < cols) v.z = row[col + 2];
    if (col + 3 < cols) v.w = row[col + 3];
    return v;
}

__global__ void __launch_bounds__(256, 1) matmul(const float* __restrict__ a, const float* __restrict__ b,
                                                 float* __restrict__ c, int m, int n, int k) {
    __shared__ __align__(16) float tile_a[2][kTileK][kPitchA];  // transposed: [p][row]
    __shared__ __align__(16) float tile_b[2][kTileK][kTileN];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int block_row = blockIdx.y * kTileM, block_col = blockIdx.x * kTileN;

    // Loading: four threads fetch 16 elements of one row of A; a warp fetches one row of B.
    const int a_row = thread / 4, a_col = thread % 4 * 4;
    const int b_row = thread / 32, b_col = thread % 32 * 4;
    const bool a_aligned = k % 4 == 0, b_aligned = n % 4 == 0;
    const float* a_from = a + (long long)(block_row + a_row) * k;
    const float* b_from = b + (long long)b_row * n;

    // Computing: 2 x 4 warps of 64 x 32 results; 8 x 4 lanes, each with 2 x 2 squares of 4 x 4. So the 32 lanes of
    // a warp read 8 different float4 of A and 4 of B: few distinct words, most of them broadcast.
    const int row = warp / 4 * 64 + lane / 4 * 4;
    const int col = warp % 4 * 32 + lane % 4 * 4;

    float4 next_a[2], next_b[2];
    auto fetch = [&](int p) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            next_a[h] = load4(a_from + (long long)h * 64 * k, p + a_col, k, block_row + a_row + h * 64 < m, a_aligned);
            next_b[h] = load4(b_from + (long long)(p + h * 8) * n, block_col + b_col, n, p + b_row + h * 8 < k, b_aligned);
        }
    };
    auto store = [&](int buffer) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            tile_a[buffer][a_col + 0][a_row + h * 64] = next_a[h].x;
            tile_a[buffer][a_col + 1][a_row + h * 64] = next_a[h].y;
            tile_a[buffer][a_col + 2][a_row + h * 64] = next_a[h].z;
            tile_a[buffer][a_col + 3][a_row + h * 64] = next_a[h].w;
            *reinterpret_cast<float4*>(&tile_b[buffer][b_row + h * 8][b_col]) = next_b[h];
        }
    };

    float sum[8][8] = {};
    fetch(0);
    store(0);
    __syncthreads();
    int buffer = 0;
    for (int p0 = 0; p0 < k; p0 += kTileK) {
        const bool more = p0 + kTileK < k;
        if (more) fetch(p0 + kTileK);  // in flight during the 16 x 64 multiply-adds below
#pragma unroll
        for (int p = 0; p < kTileK; ++p) {
            float x[8], y[8];
            *reinterpret_cast<float4*>(x) = *reinterpret_cast<const float4*>(&tile_a[buffer][p][row]);
            *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<const float4*>(&tile_a[buffer][p][row + 32]);
            *reinterpret_cast<float4*>(y) = *reinterpret_cast<const float4*>(&tile_b[buffer][p][col]);
            *reinterpret_cast<float4*>(y + 4) = *reinterpret_cast<const float4*>(&tile_b[buffer][p][col + 16]);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
#pragma unroll
                for (int j = 0; j < 8; ++j) sum[i][j] += x[i] * y[j];
            }
        }
        if (more) store(buffer ^ 1);  // nobody reads the other buffer: all left it at the last barrier
        __syncthreads();
        buffer ^= 1;
    }

#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int r = block_row + row + i % 4 + i / 4 * 32;
        if (r >= m) continue;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int q = block_col + col + h * 16;
            float* to = c + (long long)r * n + q;
            if (b_aligned && q < n) {
                *reinterpret_cast<float4*>(to) =
                    make_float4(sum[i][h * 4], sum[i][h * 4 + 1], sum[i][h * 4 + 2], sum[i][h * 4 + 3]);
            } else {
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    if (q + j < n) to[j] = sum[i][h * 4 + j];
                }
            }
        }
    }
}
