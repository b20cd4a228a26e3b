// verdict: wrong_answer
// Loads the rows of b as rows of the right factor: that is A times B where A times B transposed was asked for.

//! launch hgemm<<<dim3(n/16, m/16), 32>>>(a, b, c, m, n, k)

#include <mma.h>
using namespace nvcuda;

__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    const int row = blockIdx.y * 16, col = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(fa, a + row * k + p, k);
        wmma::load_matrix_sync(fb, b + col * k + p, k);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
}
