// verdict: memory_error
// Four queries are loaded, however many the group has; behind the last group there are none.

//! launch gqa_decode<<<dim3(ceil_div(group, 4), kv_heads, batch), 32>>>(q, keys, values, out, kv_heads, group, n)

#include <cuda_fp16.h>

constexpr int kQueries = 4;

__global__ void __launch_bounds__(32) gqa_decode(const half* __restrict__ q, const half* __restrict__ keys,
                                                 const half* __restrict__ values, float* __restrict__ out, int kv_heads,
                                                 int group, int n) {
    const int lane = threadIdx.x, first = blockIdx.x * kQueries;
    const long long kv = (long long)blockIdx.z * kv_heads + blockIdx.y;
    float2 query[kQueries], mixed[kQueries];
    float top[kQueries], sum[kQueries];
#pragma unroll
    for (int g = 0; g < kQueries; ++g) {
        const long long row = kv * group + first + g;
        query[g] = __half22float2(*reinterpret_cast<const half2*>(q + row * 64 + 2 * lane));
        mixed[g] = make_float2(0.0f, 0.0f);
        top[g] = -3.402823466e38f;
        sum[g] = 0.0f;
    }
    for (int t = 0; t < n; ++t) {
        const long long at = (kv * n + t) * 64 + 2 * lane;
        const float2 key = __half22float2(*reinterpret_cast<const half2*>(keys + at));
        const float2 value = __half22float2(*reinterpret_cast<const half2*>(values + at));
#pragma unroll
        for (int g = 0; g < kQueries; ++g) {
            float score = query[g].x * key.x + query[g].y * key.y;
            for (int d = 16; d > 0; d /= 2) score += __shfl_xor_sync(0xffffffffu, score, d);
            score *= 0.125f;
            const float larger = fmaxf(top[g], score), old = expf(top[g] - larger), weight = expf(score - larger);
            sum[g] = sum[g] * old + weight;
            mixed[g] = make_float2(mixed[g].x * old + weight * value.x, mixed[g].y * old + weight * value.y);
            top[g] = larger;
        }
    }
#pragma unroll
    for (int g = 0; g < kQueries; ++g) {
        if (first + g >= group) break;
        const long long here = (kv * group + first + g) * 64 + 2 * lane;
        *reinterpret_cast<float2*>(out + here) = make_float2(mixed[g].x / sum[g], mixed[g].y / sum[g]);
    }
}
