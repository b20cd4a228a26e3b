// wmma over tiles staged in shared memory; the result goes through shared memory as well.
#include <mma.h>
using namespace nvcuda::wmma;
//! launch hgemm<<<dim3(n / 16, m / 16), 32>>>(a, b, c, m, n, k)
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    __shared__ __align__(32) half u[16][24], v[16][24];
    __shared__ __align__(32) float w[16][20];
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    const half *from_a = a + blockIdx.y * 16 * k, *from_b = b + blockIdx.x * 16 * k;
    for (int p = 0; p < k; p += 16) {
        for (int i = threadIdx.x; i < 256; i += 32) u[i / 16][i % 16] = from_a[i / 16 * k + p + i % 16], v[i / 16][i % 16] = from_b[i / 16 * k + p + i % 16];
        __syncwarp();
        load_matrix_sync(fa, &u[0][0], 24);
        load_matrix_sync(fb, &v[0][0], 24);
        mma_sync(sum, fa, fb, sum);
        __syncwarp();
    }
    store_matrix_sync(&w[0][0], sum, 20, mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32) c[(blockIdx.y * 16 + i / 16) * n + blockIdx.x * 16 + i % 16] = w[i / 16][i % 16];
}
