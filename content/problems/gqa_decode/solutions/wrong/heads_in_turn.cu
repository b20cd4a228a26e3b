// verdict: wrong_answer
// Query head h takes the keys of head h % kv_heads; those of one group stand side by side, so it is h / group.

#include <cuda_fp16.h>

__global__ void gqa_decode(const half* q, const half* keys, const half* values, float* out, int batch, int kv_heads, int group,
                           int n) {
    const int lane = threadIdx.x;
    const long long kv = (long long)blockIdx.z * kv_heads + blockIdx.y;
    const long long head = blockIdx.y * group + blockIdx.x, whose = (long long)blockIdx.z * kv_heads + head % kv_heads;
    const long long here = (kv * group + blockIdx.x) * 64 + 2 * lane;
    const float2 query = __half22float2(*reinterpret_cast<const half2*>(q + here));
    float top = -3.402823466e38f, sum = 0.0f;
    float2 mixed = make_float2(0.0f, 0.0f);
    for (int t = 0; t < n; ++t) {
        const long long at = (whose * n + t) * 64 + 2 * lane;
        const float2 key = __half22float2(*reinterpret_cast<const half2*>(keys + at));
        float score = query.x * key.x + query.y * key.y;
        for (int d = 16; d > 0; d /= 2) score += __shfl_xor_sync(0xffffffffu, score, d);
        score *= 0.125f;
        const float larger = fmaxf(top, score), old = expf(top - larger), weight = expf(score - larger);
        const float2 value = __half22float2(*reinterpret_cast<const half2*>(values + at));
        sum = sum * old + weight;
        mixed = make_float2(mixed.x * old + weight * value.x, mixed.y * old + weight * value.y);
        top = larger;
    }
    *reinterpret_cast<float2*>(out + here) = make_float2(mixed.x / sum, mixed.y / sum);
}
