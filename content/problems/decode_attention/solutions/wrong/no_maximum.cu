// verdict: wrong_answer
// exp of the score as it stands: from 89 on it is infinite, and infinite over infinite is no number.

#include <cuda_fp16.h>

__global__ void decode_attention(const half* q, const half* keys, const half* values, const int* table, const int* length,
                                 float* out, int batch, int heads, int max_pages, int pages) {
    const int head = blockIdx.x, sequence = blockIdx.y, lane = threadIdx.x;
    const long long here = ((long long)sequence * heads + head) * 64 + 2 * lane;
    const float2 query = __half22float2(*reinterpret_cast<const half2*>(q + here));
    const int tokens = length[sequence];
    float sum = 0.0f;
    float2 mixed = make_float2(0.0f, 0.0f);
    for (int t = 0; t < tokens; ++t) {
        const long long page = table[sequence * max_pages + t / 16];
        const long long at = ((page * 16 + t % 16) * heads + head) * 64 + 2 * lane;
        const float2 key = __half22float2(*reinterpret_cast<const half2*>(keys + at));
        float score = query.x * key.x + query.y * key.y;
        for (int d = 16; d > 0; d /= 2) score += __shfl_xor_sync(0xffffffffu, score, d);
        const float weight = expf(score * 0.125f);
        const float2 value = __half22float2(*reinterpret_cast<const half2*>(values + at));
        sum += weight;
        mixed = make_float2(mixed.x + weight * value.x, mixed.y + weight * value.y);
    }
    *reinterpret_cast<float2*>(out + here) = make_float2(mixed.x / sum, mixed.y / sum);
}
