// Tiles in shared memory.
//
// Idea: a block of 32 x 32 threads fetches a 32 x 32 tile of A and of B together, then every thread uses 32 elements
// of each. One element fetched from device memory serves 32 threads.
// Cost: device memory traffic falls by 32; shared memory now delivers two operands per multiply-add and becomes the
// limit: 4 bytes x 2 x 32 lanes per instruction against 128 bytes per cycle, so half the arithmetic rate at best,
// and less because the loads take issue slots, too.
// Why two barriers: nobody may read a tile that is not full, and nobody may refill one that is still being read.

//! launch matmul<<<dim3(ceil_div(n, 32), ceil_div(m, 32)), dim3(32, 32)>>>(a, b, c, m, n, k)

constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile * kTile) matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * kTile + tx;
    int row = blockIdx.y * kTile + ty;

    float sum = 0.0f;
    for (int p = 0; p < k; p += kTile) {
        // Outside the matrix a zero: it adds nothing, and no thread leaves before the barriers.
        tile_a[ty][tx] = row < m && p + tx < k ? a[(long long)row * k + p + tx] : 0.0f;
        tile_b[ty][tx] = p + ty < k && col < n ? b[(long long)(p + ty) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int q = 0; q < kTile; ++q) {
            // tile_a: one word for the whole warp, a broadcast. tile_b: 32 neighbours, 32 banks.
            sum += tile_a[ty][q] * tile_b[q][tx];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        c[(long long)row * n + col] = sum;
    }
}
