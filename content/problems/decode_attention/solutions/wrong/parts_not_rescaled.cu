// verdict: wrong_answer
// Two warps share a head, each with the largest of its own scores, and their sums are added as if it were the same.

//! launch decode_attention<<<dim3(heads, batch), 64>>>(q, keys, values, table, length, out, batch, heads, max_pages, pages)

#include <cuda_fp16.h>

__global__ void decode_attention(const half* q, const half* keys, const half* values, const int* table, const int* length,
                                 float* out, int batch, int heads, int max_pages, int pages) {
    const int head = blockIdx.x, sequence = blockIdx.y, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long here = ((long long)sequence * heads + head) * 64 + 2 * lane;
    const float2 query = __half22float2(*reinterpret_cast<const half2*>(q + here));
    const int tokens = length[sequence];
    __shared__ float tops[2], sums[2], mixes[2][64];
    float top = -3.402823466e38f, sum = 0.0f;
    float2 mixed = make_float2(0.0f, 0.0f);
    for (int t = warp; t < tokens; t += 2) {
        const long long page = table[sequence * max_pages + t / 16];
        const long long at = ((page * 16 + t % 16) * heads + head) * 64 + 2 * lane;
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
    if (lane == 0) {
        tops[warp] = top;
        sums[warp] = sum;
    }
    mixes[warp][2 * lane] = mixed.x;
    mixes[warp][2 * lane + 1] = mixed.y;
    __syncthreads();
    if (warp > 0) return;
    for (int d = 2 * lane; d < 2 * lane + 2; ++d) {
        out[here - 2 * lane + d] = (mixes[0][d] + mixes[1][d]) / (sums[0] + sums[1]);
    }
}
