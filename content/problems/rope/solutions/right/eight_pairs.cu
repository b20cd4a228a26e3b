// Eight pairs for each thread, 16 bytes of either half.
//
// Idea: cosines and sines of a word serve all its heads; a thread keeps its eight and goes over the heads.
// Cost: 4 bytes per number; the tables are read once for each thread and come from the caches.
// Why a block for each word: its position is the same for all threads.
// Where pairs is no multiple of 8 the pairs are taken one by one.

#include <cuda_fp16.h>

__device__ uint4 turned(const uint4& straight, const uint4& across, const float* c, const float* s, float sign) {
    uint4 result;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        float2 a = __half22float2(reinterpret_cast<const half2*>(&straight)[q]);
        float2 b = __half22float2(reinterpret_cast<const half2*>(&across)[q]);
        reinterpret_cast<half2*>(&result)[q] = __floats2half2_rn(a.x * c[2 * q] + sign * b.x * s[2 * q],
                                                                 a.y * c[2 * q + 1] + sign * b.y * s[2 * q + 1]);
    }
    return result;
}

__global__ void __launch_bounds__(256) rope(half* __restrict__ x, const float* __restrict__ cosines,
                                            const float* __restrict__ sines, const int* __restrict__ position,
                                            int tokens, int heads, int pairs) {
    half* token = x + (long long)blockIdx.x * heads * 2 * pairs;
    cosines += (long long)position[blockIdx.x] * pairs;
    sines += (long long)position[blockIdx.x] * pairs;
    if (pairs % 8 != 0) {
        for (int e = threadIdx.x; e < heads * pairs; e += 256) {
            const int p = e % pairs;
            half* from = token + e / pairs * 2 * pairs + p;
            const float first = __half2float(from[0]), second = __half2float(from[pairs]);
            from[0] = __float2half(first * cosines[p] - second * sines[p]);
            from[pairs] = __float2half(second * cosines[p] + first * sines[p]);
        }
        return;
    }
    const int groups = pairs / 8;  // threads for each head
    for (int e = threadIdx.x; e < heads * groups; e += 256) {
        const int p = e % groups * 8;
        float c[8], s[8];
#pragma unroll
        for (int q = 0; q < 8; q += 4) {
            *reinterpret_cast<float4*>(c + q) = *reinterpret_cast<const float4*>(cosines + p + q);
            *reinterpret_cast<float4*>(s + q) = *reinterpret_cast<const float4*>(sines + p + q);
        }
        half* from = token + e / groups * 2 * pairs + p;
        const uint4 first = *reinterpret_cast<const uint4*>(from);
        const uint4 second = *reinterpret_cast<const uint4*>(from + pairs);
        *reinterpret_cast<uint4*>(from) = turned(first, second, c, s, -1.0f);
        *reinterpret_cast<uint4*>(from + pairs) = turned(second, first, c, s, 1.0f);
    }
}
