// expect: clean
// compare: absolute 2e-4
// buffer a: f16 512 small16 const
// buffer b: f16 512 small16 const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 32>>>(a, b, o)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const half* a, const half* b, float* o) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
    wmma::fill_fragment(z, 0.5f);
    for (int q = 0; q < 2; q++) {
        wmma::load_matrix_sync(x, a + 16 * q, 32);
        wmma::load_matrix_sync(y, b + 16 * q, 32);
        wmma::mma_sync(z, x, y, z);
    }
    for (int i = 0; i < z.num_elements; i++) z.x[i] *= 2;
    wmma::store_matrix_sync(o, z, 16, wmma::mem_row_major);
}
