// expect: clean
// compare: exact
// buffer a: i8 256 bits const
// buffer b: i8 256 bits const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 32>>>(a, b, o)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const signed char* a, const signed char* b, int* o) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> z;
    wmma::fill_fragment(z, 7);
    wmma::load_matrix_sync(x, a, 16);
    wmma::load_matrix_sync(y, b, 16);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(o, z, 16, wmma::mem_row_major);
}
