// Four-bit weights times a vector. Eight weights stand in each word of w, 64 weights share a scale.
//
// Started as int4_gemv<<<rows, 32>>>(w, scale, x, y, rows, groups), a warp for each row. The walk along the row and the sum
// of the lanes are there; as it stands only the first of the eight numbers in a word counts.

#include <cuda_fp16.h>

__global__ void int4_gemv(const unsigned* w, const half* scale, const half* x, float* y, int rows, int groups) {
    const unsigned* row = w + blockIdx.x * 8LL * groups;
    const half* scales = scale + blockIdx.x * (long long)groups;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < 8 * groups; i += 32) {  // word i holds the weights 8 * i .. 8 * i + 7, of group i / 8
        unsigned word = row[i];
        float part = 0.0f;
        // fill in: all eight numbers of the word, the lowest four bits first, each less 8
        part += (int(word & 15) - 8) * __half2float(x[8 * i]);
        sum += part * __half2float(scales[i / 8]);
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
