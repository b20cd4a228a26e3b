// verdict: wrong_answer
// The first number is written back before the second is calculated, which then uses the new one.

#include <cuda_fp16.h>

__global__ void rope(half* x, const float* cosines, const float* sines, const int* position, int tokens, int heads,
                     int pairs) {
    half* token = x + (long long)blockIdx.x * heads * 2 * pairs;
    const long long angles = (long long)position[blockIdx.x] * pairs;
    for (int e = threadIdx.x; e < heads * pairs; e += blockDim.x) {
        const int p = e % pairs;
        half* from = token + e / pairs * 2 * pairs + p;
        const float c = cosines[angles + p], s = sines[angles + p];
        from[0] = __float2half(__half2float(from[0]) * c - __half2float(from[pairs]) * s);
        from[pairs] = __float2half(__half2float(from[pairs]) * c + __half2float(from[0]) * s);
    }
}
