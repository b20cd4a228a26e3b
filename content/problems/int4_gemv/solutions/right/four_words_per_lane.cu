// Four words for each lane at a time, eight rows for each block.
//
// Idea: 32 weights come with one load of 16 bytes, and so do eight numbers of x.
// Cost: 34 bytes for 64 weights; six loads for 32 weights.
// Why eight rows: their warps read the same x, which stays in L1.

//! launch int4_gemv<<<ceil_div(rows, 8), 256>>>(w, scale, x, y, rows, groups)

#include <cuda_fp16.h>

__global__ void __launch_bounds__(256) int4_gemv(const unsigned* __restrict__ w, const half* __restrict__ scale,
                                                 const half* __restrict__ x, float* __restrict__ y, int rows,
                                                 int groups) {
    const int r = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const uint4* row = reinterpret_cast<const uint4*>(w + r * 8LL * groups);
    const uint4* vector = reinterpret_cast<const uint4*>(x);
    const half* scales = scale + (long long)r * groups;
    float sum = 0.0f;
    for (int i = lane; i < 2 * groups; i += 32) {
        const uint4 four = row[i];
        const unsigned words[4] = {four.x, four.y, four.z, four.w};
        float part = 0.0f;
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            const uint4 eight = vector[4 * i + q];
#pragma unroll
            for (int p = 0; p < 4; ++p) {
                const float2 pair = __half22float2(reinterpret_cast<const half2*>(&eight)[p]);
                part += (int(words[q] >> 8 * p & 15) - 8) * pair.x;
                part += (int(words[q] >> (8 * p + 4) & 15) - 8) * pair.y;
            }
        }
        sum += part * __half2float(scales[i / 2]);
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) y[r] = sum;
}
