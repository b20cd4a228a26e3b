// One warp, one 16 x 16 tile on a tensor core.
//
// Idea: nvcuda::wmma spreads a 16 x 16 tile over the registers of a warp and multiplies two of them per instruction.
// Cost: every fragment comes from device memory (or a cache) and is used once: 1 KB of loads for 8192 operations.
// The tensor cores wait most of the time.
// Why it is here: it is the whole programming model in ten lines; everything faster only feeds it better.

//! launch hgemm<<<dim3(n/16, m/16), 32>>>(a, b, c, m, n, k)

#include <mma.h>
using namespace nvcuda;

__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    const int row = blockIdx.y * 16, col = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;  // rows of b are columns of the right factor
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(fa, a + (long long)row * k + p, k);
        wmma::load_matrix_sync(fb, b + (long long)col * k + p, k);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + (long long)row * n + col, sum, n, wmma::mem_row_major);
}
