// expect: clean
// compare: absolute 0.1
// buffer a: f16 256 small16 const
// buffer b: f16 256 small16 const
// buffer o: f16 256 uninitialized
//! launch k<<<1, 64>>>(a, b, o)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const half* a, const half* b, half* o) {
    __shared__ half s[256];
    for (int i = threadIdx.x; i < 256; i += 64) s[i] = a[i];
    __syncthreads();
    if (threadIdx.x < 32) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
        wmma::fragment<wmma::accumulator, 16, 16, 16, half> z;
        wmma::fill_fragment(z, __float2half(0));
        wmma::load_matrix_sync(x, s, 16);
        wmma::load_matrix_sync(y, b, 16);
        wmma::mma_sync(z, x, y, z);
        wmma::store_matrix_sync(o, z, 16, wmma::mem_col_major);
    }
}
