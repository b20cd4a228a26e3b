// Rotary position embedding, in place: each pair (x[p], x[p + pairs]) of a head is turned by an angle of its own.
//
// Started as rope<<<tokens, 256>>>(x, cosines, sines, position, tokens, heads, pairs), one block for each token. The loop
// over the pairs is there; as it stands nothing is turned.

#include <cuda_fp16.h>

__global__ void rope(half* x, const float* cosines, const float* sines, const int* position, int tokens, int heads,
                     int pairs) {
    half* token = x + (long long)blockIdx.x * heads * 2 * pairs;
    const long long angles = (long long)position[blockIdx.x] * pairs;
    for (int e = threadIdx.x; e < heads * pairs; e += blockDim.x) {
        const int head = e / pairs, p = e % pairs;
        half* first = token + head * 2 * pairs + p;
        half* second = first + pairs;
        const float c = cosines[angles + p], s = sines[angles + p];

        // fill in: the new first is first * c - second * s, the new second is second * c + first * s; mind the order
        *first = __float2half(__half2float(*first) * c);
        *second = __float2half(__half2float(*second) * c);
    }
}
