// verdict: race
// Tiles in shared memory, filled by four warps together and read by all, without a barrier between filling and use.

//! launch hgemm<<<dim3(ceil_div(n, 64), m/16), 128>>>(a, b, c, m, n, k)

#include <mma.h>
using namespace nvcuda;

__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    __shared__ __align__(32) half tile_a[16 * 16];
    const int row = blockIdx.y * 16, col = blockIdx.x * 64 + threadIdx.x / 32 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int p = 0; p < k; p += 16) {
        for (int i = threadIdx.x; i < 256; i += 128) tile_a[i] = a[(row + i / 16) * k + p + i % 16];
        wmma::load_matrix_sync(fa, tile_a, 16);
        if (col < n) {
            wmma::load_matrix_sync(fb, b + col * k + p, k);
            wmma::mma_sync(sum, fa, fb, sum);
        }
    }
    if (col < n) wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
}
