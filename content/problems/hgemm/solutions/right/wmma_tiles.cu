// 128 x 128 tiles in shared memory, eight warps with 64 x 32 each, the next tile on its way while this one is used.
//
// Idea: a fragment of A serves two fragments of B and one of B serves four of A, out of shared memory; cp.async
// brings the next tile straight from device memory into shared memory, without passing through registers.
// Cost: per 16 steps of k a warp loads 6 fragments and makes 8 products of 16 x 16 x 16. Shared memory: two buffers of
// 2 x 128 rows of 40 halves, 40 KB.
// Why rows of 40 halves where 32 are used: 80 bytes put eight consecutive rows into different banks; with 64 bytes
// every second row would meet the same ones.

//! launch hgemm<<<dim3(ceil_div(n, 128), ceil_div(m, 128)), 256>>>(a, b, c, m, n, k)

#include <mma.h>
using namespace nvcuda;

constexpr int kTile = 128, kDepth = 32, kPitch = kDepth + 8;

// 16 bytes from device to shared memory, zeros if the source lies outside.
__device__ __forceinline__ void copy16(half* to, const half* from, bool inside) {
    unsigned address = unsigned(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
}

__global__ void __launch_bounds__(256) hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    __shared__ __align__(128) half tile_a[2][kTile][kPitch];
    __shared__ __align__(128) half tile_b[2][kTile][kPitch];
    const int warp = threadIdx.x / 32;
    const int block_row = blockIdx.y * kTile, block_col = blockIdx.x * kTile;
    const int row = warp / 4 * 64, col = warp % 4 * 32;

    auto fetch = [&](int buffer, int p0) {
        for (int e = threadIdx.x; e < kTile * kDepth / 8; e += 256) {
            const int r = e / (kDepth / 8), p = e % (kDepth / 8) * 8;
            const bool a_inside = block_row + r < m && p0 + p < k, b_inside = block_col + r < n && p0 + p < k;
            copy16(&tile_a[buffer][r][p], a_inside ? a + (long long)(block_row + r) * k + p0 + p : a, a_inside);
            copy16(&tile_b[buffer][r][p], b_inside ? b + (long long)(block_col + r) * k + p0 + p : b, b_inside);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
    }
    fetch(0, 0);
    int buffer = 0;
    for (int p0 = 0; p0 < k; p0 += kDepth) {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();  // this tile has arrived for everybody, and nobody uses the other buffer any more
        if (p0 + kDepth < k) fetch(buffer ^ 1, p0 + kDepth);
#pragma unroll
        for (int p = 0; p < kDepth; p += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb[2];
#pragma unroll
            for (int i = 0; i < 4; ++i) wmma::load_matrix_sync(fa[i], &tile_a[buffer][row + 16 * i][p], kPitch);
#pragma unroll
            for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(fb[j], &tile_b[buffer][col + 16 * j][p], kPitch);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
            }
        }
        buffer ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const int r = block_row + row + 16 * i, q = block_col + col + 16 * j;
            if (r < m && q < n) {  // sizes are multiples of 16: a fragment is inside or outside, never both
                wmma::store_matrix_sync(c + (long long)r * n + q, sum[i][j], n, wmma::mem_row_major);
            }
        }
    }
}
