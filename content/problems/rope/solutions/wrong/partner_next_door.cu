// verdict: wrong_answer
// The pairs of the original paper: neighbours (0, 1), (2, 3) ... Here the partner is half a head away.

#include <cuda_fp16.h>

__global__ void rope(half* x, const float* cosines, const float* sines, const int* position, int tokens, int heads,
                     int pairs) {
    half* token = x + (long long)blockIdx.x * heads * 2 * pairs;
    const long long angles = (long long)position[blockIdx.x] * pairs;
    for (int e = threadIdx.x; e < heads * pairs; e += blockDim.x) {
        const int p = e % pairs;
        half* from = token + e / pairs * 2 * pairs + 2 * p;
        const float first = __half2float(from[0]), second = __half2float(from[1]);
        const float c = cosines[angles + p], s = sines[angles + p];
        from[0] = __float2half(first * c - second * s);
        from[1] = __float2half(second * c + first * s);
    }
}
