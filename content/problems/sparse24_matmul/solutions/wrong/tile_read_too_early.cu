// verdict: race
// Nobody waits for the tile that all of the block have written: the barrier after it is missing.

//! launch sparse24_matmul<<<dim3(ceil_div(n, 128), ceil_div(m, 128)), 256>>>(values, places, b, c, m, n, k)

#include <mma.h>
using namespace nvcuda;

constexpr int kTile = 128, kDepth = 32, kPitch = kDepth + 8;

// 16 bytes from device to shared memory, zeros if the source lies outside.
__device__ __forceinline__ void copy16(half* to, const half* from, bool inside) {
    unsigned address = unsigned(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
}

// Two numbers, the lower and the upper half of `pair`, at two of four places.
__device__ __forceinline__ unsigned long long four(unsigned pair, unsigned where) {
    return (unsigned long long)(pair & 0xFFFF) << (where & 3) * 16 | (unsigned long long)(pair >> 16) << (where >> 2 & 3) * 16;
}

__global__ void __launch_bounds__(256) sparse24_matmul(const half* values, const unsigned* places, const half* b, float* c,
                                                       int m, int n, int k) {
    __shared__ __align__(128) half tile_a[2][kTile][kPitch];
    __shared__ __align__(128) half tile_b[2][kTile][kPitch];
    const int warp = threadIdx.x / 32;
    const int block_row = blockIdx.y * kTile, block_col = blockIdx.x * kTile;
    const int row = warp / 4 * 64, col = warp % 4 * 32;

    // Of A each thread has 16 columns of one row: eight numbers and half a word of places.
    const int r = threadIdx.x / 2, side = threadIdx.x % 2;
    const bool a_inside = block_row + r < m;
    const long long a_row = a_inside ? block_row + r : 0;
    uint4 kept;
    unsigned where;
    auto load_a = [&](int p0) {
        kept = a_inside ? *reinterpret_cast<const uint4*>(values + a_row * (k / 2) + p0 / 2 + side * 8) : make_uint4(0, 0, 0, 0);
        where = places[a_row * (k / 32) + p0 / 32] >> (16 * side);
    };
    auto store_a = [&](int buffer) {
        ulonglong2* to = reinterpret_cast<ulonglong2*>(&tile_a[buffer][r][side * 16]);
        to[0] = make_ulonglong2(four(kept.x, where), four(kept.y, where >> 4));
        to[1] = make_ulonglong2(four(kept.z, where >> 8), four(kept.w, where >> 12));
    };
    auto fetch_b = [&](int buffer, int p0) {
        for (int e = threadIdx.x; e < kTile * kDepth / 8; e += 256) {
            const int i = e / (kDepth / 8), p = e % (kDepth / 8) * 8;
            const bool inside = block_col + i < n;
            copy16(&tile_b[buffer][i][p], inside ? b + (long long)(block_col + i) * k + p0 + p : b, inside);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
    }
    fetch_b(0, 0);
    load_a(0);
    int buffer = 0;
    for (int p0 = 0; p0 < k; p0 += kDepth) {
        store_a(buffer);  // last read two tiles ago, and a barrier lies between
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        if (p0 + kDepth < k) {
            fetch_b(buffer ^ 1, p0 + kDepth);
            load_a(p0 + kDepth);
        }
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
            const int to = block_row + row + 16 * i, at = block_col + col + 16 * j;
            if (to < m && at < n) {  // sizes are multiples of 16: a fragment is inside or outside, never both
                wmma::store_matrix_sync(c + (long long)to * n + at, sum[i][j], n, wmma::mem_row_major);
            }
        }
    }
}
