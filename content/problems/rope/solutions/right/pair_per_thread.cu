// One thread, one pair.
//
// Idea: both numbers are read before either is written.
// Cost: 4 bytes per number, and as many of the tables, from the caches; two divisions for each pair.
// Why nobody waits: no two threads touch the same pair.

//! launch rope<<<ceil_div(tokens*heads*pairs, 256), 256>>>(x, cosines, sines, position, tokens, heads, pairs)

#include <cuda_fp16.h>

__global__ void rope(half* x, const float* cosines, const float* sines, const int* position, int tokens, int heads,
                     int pairs) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)tokens * heads * pairs) return;
    const long long row = at / pairs;  // word and head
    const int p = int(at - row * pairs);
    const long long angle = (long long)position[row / heads] * pairs + p;
    half* from = x + row * 2 * pairs + p;
    const float first = __half2float(from[0]), second = __half2float(from[pairs]);
    const float c = cosines[angle], s = sines[angle];
    from[0] = __float2half(first * c - second * s);
    from[pairs] = __float2half(second * c + first * s);
}
