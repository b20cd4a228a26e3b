// 128 x 128 tiles in shared memory, eight warps with 64 x 32 each; every fragment passes through 1 KB of its warp's own.
//
// Idea: wmma does not say which lane holds which sum. Stored to shared memory a fragment has rows and columns again: a lane
// takes eight neighbours, adds their bias, applies GELU and writes 16 bytes.
// Cost: the product as in hgemm; then 2 KB through shared memory for each 16 x 16 results, once, and 2 bytes a result out.
// Why two __syncwarp: nobody reads before all lanes have stored, and the next fragment comes after all have read.

//! launch gemm_bias_gelu<<<dim3(ceil_div(n, 128), ceil_div(m, 128)), 256>>>(a, b, bias, y, m, n, k)

#include <mma.h>
using namespace nvcuda;

constexpr int kTile = 128, kDepth = 32, kPitch = kDepth + 8;

// 16 bytes from device to shared memory, zeros if the source lies outside.
__device__ __forceinline__ void copy16(half* to, const half* from, bool inside) {
    unsigned address = unsigned(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
}

__device__ __forceinline__ float gelu(float z) { return 0.5f * z * (1.0f + erff(z * 0.70710678f)); }

__global__ void __launch_bounds__(256) gemm_bias_gelu(const half* a, const half* b, const half* bias, half* y, int m,
                                                      int n, int k) {
    __shared__ __align__(128) half tile_a[2][kTile][kPitch];
    __shared__ __align__(128) half tile_b[2][kTile][kPitch];
    __shared__ __align__(32) float results[8][256];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
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
            if (r >= m || q >= n) continue;  // sizes are multiples of 16: a fragment is inside or outside, never both
            wmma::store_matrix_sync(results[warp], sum[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            const float* from = results[warp] + lane * 8;  // half a row
            const int to = q + lane % 2 * 8;
            __align__(16) half out[8];
#pragma unroll
            for (int e = 0; e < 8; ++e) out[e] = __float2half(gelu(from[e] + __half2float(bias[to + e])));
            *reinterpret_cast<uint4*>(y + (long long)(r + lane / 2) * n + to) = *reinterpret_cast<const uint4*>(out);
            __syncwarp();
        }
    }
}
