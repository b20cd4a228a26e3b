// expect: missing-barrier
// buffer a: i8 4096 bits const
// buffer b: i8 4096 bits const
// buffer o: i32 4096 uninitialized
//! launch k<<<dim3(2, 2), 128>>>(a, b, o)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const int* a, const int* b, int* o) {
    __shared__ alignas(32) signed char s[32][32], t[32][32];
    int warp = threadIdx.x / 32, row = blockIdx.y * 32, column = blockIdx.x * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> z;
    wmma::fill_fragment(z, 0);
    for (int from = 0; from < 64; from += 32) {
        for (int at = threadIdx.x; at < 256; at += 128) {
            int r = at / 8, word = at % 8;
            ((int*)s[r])[word] = a[((row + r) * 64 + from) / 4 + word];
            ((int*)t[r])[word] = b[((column + r) * 64 + from) / 4 + word];
        }
        for (int q = 0; q < 32; q += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> x;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> y;
            wmma::load_matrix_sync(x, &s[warp / 2 * 16][q], 32); // BUG: no barrier after the tile was filled
            wmma::load_matrix_sync(y, &t[warp % 2 * 16][q], 32); // BUG
            wmma::mma_sync(z, x, y, z);
        }
        __syncthreads();
    }
    int* to = o + (row + warp / 2 * 16) * 64 + column + warp % 2 * 16;
    wmma::store_matrix_sync(to, z, 64, wmma::mem_row_major);
}
