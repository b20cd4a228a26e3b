// verdict: race
// Each thread turns one number and reads its partner, which another thread is overwriting.

#include <cuda_fp16.h>

__global__ void rope(half* x, const float* cosines, const float* sines, const int* position, int tokens, int heads,
                     int pairs) {
    half* token = x + (long long)blockIdx.x * heads * 2 * pairs;
    const long long angles = (long long)position[blockIdx.x] * pairs;
    for (int e = threadIdx.x; e < heads * 2 * pairs; e += blockDim.x) {
        const int p = e % pairs, half_of = e / pairs % 2;
        const float c = cosines[angles + p], s = sines[angles + p];
        const float own = __half2float(token[e]), partner = __half2float(token[half_of ? e - pairs : e + pairs]);
        token[e] = __float2half(own * c + (half_of ? partner : -partner) * s);
    }
}
