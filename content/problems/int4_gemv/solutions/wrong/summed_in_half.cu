// verdict: wrong_answer
// Products and sums in half precision: eleven bits are not enough for hundreds of terms.

#include <cuda_fp16.h>

__global__ void int4_gemv(const unsigned* w, const half* scale, const half* x, float* y, int rows, int groups) {
    const unsigned* row = w + blockIdx.x * 8LL * groups;
    const half* scales = scale + blockIdx.x * (long long)groups;
    half sum = __float2half(0.0f);
    for (int i = threadIdx.x; i < 8 * groups; i += 32) {
        unsigned word = row[i];
        half part = __float2half(0.0f);
        for (int p = 0; p < 8; ++p) part = __hfma(__int2half_rn(int(word >> 4 * p & 15) - 8), x[8 * i + p], part);
        sum = __hfma(part, scales[i / 8], sum);
    }
    for (int d = 16; d > 0; d /= 2) sum = __hadd(sum, __shfl_xor_sync(0xffffffffu, sum, d));
    if (threadIdx.x == 0) y[blockIdx.x] = __half2float(sum);
}
