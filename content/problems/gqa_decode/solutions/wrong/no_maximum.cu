// verdict: wrong_answer
// exp of the scores as they are: from 89 on it is infinite, and infinity divided by infinity is no number.

#include <cuda_fp16.h>

__global__ void gqa_decode(const half* q, const half* keys, const half* values, float* out, int batch, int kv_heads, int group,
                           int n) {
    const int lane = threadIdx.x;
    const long long kv = (long long)blockIdx.z * kv_heads + blockIdx.y;
    const long long here = (kv * group + blockIdx.x) * 64 + 2 * lane;
    const float2 query = __half22float2(*reinterpret_cast<const half2*>(q + here));
    float sum = 0.0f;
    float2 mixed = make_float2(0.0f, 0.0f);
    for (int t = 0; t < n; ++t) {
        const long long at = (kv * n + t) * 64 + 2 * lane;
        const float2 key = __half22float2(*reinterpret_cast<const half2*>(keys + at));
        float score = query.x * key.x + query.y * key.y;
        for (int d = 16; d > 0; d /= 2) score += __shfl_xor_sync(0xffffffffu, score, d);
        score *= 0.125f;
        const float weight = expf(score);
        const float2 value = __half22float2(*reinterpret_cast<const half2*>(values + at));
        sum += weight;
        mixed = make_float2(mixed.x + weight * value.x, mixed.y + weight * value.y);
    }
    *reinterpret_cast<float2*>(out + here) = make_float2(mixed.x / sum, mixed.y / sum);
}
