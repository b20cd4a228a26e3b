// verdict: race
// All lanes store their own sum to the same y, without joining them first.

#include <cuda_fp16.h>

__global__ void int4_gemv(const unsigned* w, const half* scale, const half* x, float* y, int rows, int groups) {
    const unsigned* row = w + blockIdx.x * 8LL * groups;
    const half* scales = scale + blockIdx.x * (long long)groups;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < 8 * groups; i += 32) {
        unsigned word = row[i];
        float part = 0.0f;
        for (int p = 0; p < 8; ++p) part += (int(word >> 4 * p & 15) - 8) * __half2float(x[8 * i + p]);
        sum += part * __half2float(scales[i / 8]);
    }
    y[blockIdx.x] = sum;
}
