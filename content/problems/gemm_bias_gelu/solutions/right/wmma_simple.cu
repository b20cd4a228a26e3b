// One warp, one 16 x 16 tile on a tensor core, through shared memory to bias and GELU.
//
// Idea: which lane holds which sum of a fragment is not said; stored to shared memory, every sum has a row and a column.
// Cost: every fragment of a and b is used once: 1 KB of loads for 8192 operations. The epilogue is 1 KB written and read.
// Why no buffer in device memory: a product written as floats and read again would cost 8 bytes more for each result.

//! launch gemm_bias_gelu<<<dim3(n/16, m/16), 32>>>(a, b, bias, y, m, n, k)

#include <mma.h>
using namespace nvcuda;

__device__ float gelu(float z) { return 0.5f * z * (1.0f + erff(z * 0.70710678f)); }

__global__ void gemm_bias_gelu(const half* a, const half* b, const half* bias, half* y, int m, int n, int k) {
    __shared__ __align__(32) float results[256];
    const int row = blockIdx.y * 16, col = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(fa, a + (long long)row * k + p, k);
        wmma::load_matrix_sync(fb, b + (long long)col * k + p, k);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(results, sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int e = threadIdx.x; e < 256; e += 32) {
        const int q = col + e % 16;
        y[(long long)(row + e / 16) * n + q] = __float2half(gelu(results[e] + __half2float(bias[q])));
    }
}
