// Two accumulators take turns; fragments in an array and behind an alias template.
#include <mma.h>
using namespace nvcuda;
//! launch hgemm<<<dim3(n / 16, m / 16), 32>>>(a, b, c, m, n, k)
template <class Layout>
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, Layout>;
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    A<wmma::row_major> fa[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> even, odd;
    wmma::fill_fragment(even, 0.0f);
    wmma::fill_fragment(odd, 0.0f);
    for (int p = 0, turn = 0; p < k; p += 16, turn ^= 1) {
        wmma::load_matrix_sync(fa[turn], a + blockIdx.y * 16 * k + p, k);
        wmma::load_matrix_sync(fb, b + blockIdx.x * 16 * k + p, k);
        if (turn) wmma::mma_sync(odd, fa[1], fb, odd);
        else wmma::mma_sync(even, fa[0], fb, even);
    }
    for (int i = 0; i < even.num_elements; ++i) even.x[i] += odd.x[i];
    wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, even, n, wmma::mem_row_major);
}
