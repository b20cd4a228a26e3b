// Grouped-query attention for one token: each of `group` queries looks at the same keys and mixes the same values.
//
// Started as gqa_decode<<<dim3(group, kv_heads, batch), 32>>>(...): a warp for each query, two of its 64 numbers for each lane. The
// walk along the tokens is there; as it stands every token weighs the same.

#include <cuda_fp16.h>

__global__ void gqa_decode(const half* q, const half* keys, const half* values, float* out, int batch, int kv_heads, int group,
                           int n) {
    const int lane = threadIdx.x;
    const long long kv = (long long)blockIdx.z * kv_heads + blockIdx.y;  // whose keys and values
    const long long here = (kv * group + blockIdx.x) * 64 + 2 * lane;
    const float2 query = __half22float2(*reinterpret_cast<const half2*>(q + here));
    float sum = 0.0f;
    float2 mixed = make_float2(0.0f, 0.0f);
    for (int t = 0; t < n; ++t) {
        const long long at = (kv * n + t) * 64 + 2 * lane;
        const float2 value = __half22float2(*reinterpret_cast<const half2*>(values + at));
        // fill in: the score, query times keys[at] and so on over all 64 numbers, divided by 8; its exponential is the weight
        const float weight = 1.0f;
        sum += weight;
        mixed = make_float2(mixed.x + weight * value.x, mixed.y + weight * value.y);
    }
    *reinterpret_cast<float2*>(out + here) = make_float2(mixed.x / sum, mixed.y / sum);
}
