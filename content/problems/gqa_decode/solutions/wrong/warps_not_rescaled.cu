// verdict: wrong_answer
// What the warps have added up is joined as it is, although each subtracted a maximum of its own.

//! scratch parts float batch*kv_heads*group*ceil_div(n, 1024)*66
//! launch attend<<<dim3(ceil_div(n, 1024), kv_heads*ceil_div(group, 4), batch), 256>>>(q, keys, values, parts, kv_heads, group, n)
//! launch join_parts<<<dim3(group, kv_heads, batch), 64>>>(parts, out, kv_heads, group, ceil_div(n, 1024))

#include <cuda_fp16.h>

constexpr int kTokens = 1024, kQueries = 4, kWarps = 8;
constexpr unsigned kAll = 0xffffffffu;
constexpr float kLowest = -3.402823466e38f;  // not minus infinity: (-inf) - (-inf) is no number

__device__ void unpack(uint4 eight, float (&to)[8]) {
#pragma unroll
    for (int p = 0; p < 4; ++p) {
        const float2 pair = __half22float2(reinterpret_cast<const half2*>(&eight)[p]);
        to[2 * p] = pair.x;
        to[2 * p + 1] = pair.y;
    }
}

__global__ void __launch_bounds__(256) attend(const half* __restrict__ q, const half* __restrict__ keys,
                                              const half* __restrict__ values, float* __restrict__ parts, int kv_heads,
                                              int group, int n) {
    __shared__ float tops[kWarps][kQueries], sums[kWarps][kQueries], mixes[kWarps][kQueries][64];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, piece = lane % 8 * 8;
    const int head = blockIdx.y % kv_heads, first = blockIdx.y / kv_heads * kQueries;
    const long long kv = (long long)blockIdx.z * kv_heads + head;
    const int end = min((int(blockIdx.x) + 1) * kTokens, n);
    float query[kQueries][8], mixed[kQueries][8] = {}, top[kQueries], sum[kQueries] = {};
#pragma unroll
    for (int g = 0; g < kQueries; ++g) {
        const long long row = kv * group + min(first + g, group - 1);
        unpack(*reinterpret_cast<const uint4*>(q + row * 64 + piece), query[g]);
#pragma unroll
        for (int p = 0; p < 8; ++p) query[g][p] *= 0.125f;
        top[g] = kLowest;
    }
    for (int t0 = blockIdx.x * kTokens + 8 * warp; t0 < end; t0 += 8 * kWarps) {
        const int t = t0 + lane / 8, u = t + 4;
        const long long at = (kv * n + min(t, end - 1)) * 64 + piece, beside = (kv * n + min(u, end - 1)) * 64 + piece;
        const uint4 key_t = *reinterpret_cast<const uint4*>(keys + at), key_u = *reinterpret_cast<const uint4*>(keys + beside);
        const uint4 value_t = *reinterpret_cast<const uint4*>(values + at);
        const uint4 value_u = *reinterpret_cast<const uint4*>(values + beside);
        float one[8], other[8], score_t[kQueries], score_u[kQueries];
        unpack(key_t, one);
        unpack(key_u, other);
#pragma unroll
        for (int g = 0; g < kQueries; ++g) {
            score_t[g] = score_u[g] = 0.0f;
#pragma unroll
            for (int p = 0; p < 8; ++p) {
                score_t[g] += query[g][p] * one[p];
                score_u[g] += query[g][p] * other[p];
            }
            for (int d = 4; d > 0; d /= 2) {
                score_t[g] += __shfl_xor_sync(kAll, score_t[g], d);
                score_u[g] += __shfl_xor_sync(kAll, score_u[g], d);
            }
        }
        unpack(value_t, one);
        unpack(value_u, other);
#pragma unroll
        for (int g = 0; g < kQueries; ++g) {
            const float larger = fmaxf(top[g], fmaxf(score_t[g], score_u[g])), old = __expf(top[g] - larger);
            const float weight_t = t < end ? __expf(score_t[g] - larger) : 0.0f;
            const float weight_u = u < end ? __expf(score_u[g] - larger) : 0.0f;
            sum[g] = sum[g] * old + (weight_t + weight_u);
#pragma unroll
            for (int p = 0; p < 8; ++p) mixed[g][p] = mixed[g][p] * old + weight_t * one[p] + weight_u * other[p];
            top[g] = larger;
        }
    }
    // The four groups of lanes in a warp, then the eight warps.
#pragma unroll
    for (int g = 0; g < kQueries; ++g) {
        for (int d = 8; d < 32; d *= 2) {
            const float theirs = __shfl_xor_sync(kAll, top[g], d), larger = fmaxf(top[g], theirs);
            const float mine = expf(top[g] - larger), factor = expf(theirs - larger);
            sum[g] = sum[g] * mine + __shfl_xor_sync(kAll, sum[g], d) * factor;
#pragma unroll
            for (int p = 0; p < 8; ++p) mixed[g][p] = mixed[g][p] * mine + __shfl_xor_sync(kAll, mixed[g][p], d) * factor;
            top[g] = larger;
        }
        if (lane == 0) {
            tops[warp][g] = top[g];
            sums[warp][g] = sum[g];
        }
        if (lane < 8) {
#pragma unroll
            for (int p = 0; p < 8; ++p) mixes[warp][g][piece + p] = mixed[g][p];
        }
    }
    __syncthreads();
    const int g = threadIdx.x / 64, d = threadIdx.x % 64;
    if (first + g >= group) return;
    float best = tops[0][g], total = 0.0f, mix = 0.0f;
    for (int w = 1; w < kWarps; ++w) best = fmaxf(best, tops[w][g]);
    for (int w = 0; w < kWarps; ++w) {
        const float factor = 1.0f;
        total += sums[w][g] * factor;
        mix += mixes[w][g][d] * factor;
    }
    float* part = parts + ((kv * group + first + g) * gridDim.x + blockIdx.x) * 66;
    part[d] = mix;
    if (d == 0) {
        part[64] = best;
        part[65] = total;
    }
}

__global__ void __launch_bounds__(64) join_parts(const float* __restrict__ parts, float* __restrict__ out, int kv_heads,
                                                 int group, int count) {
    const long long row = ((long long)blockIdx.z * kv_heads + blockIdx.y) * group + blockIdx.x;
    const float* own = parts + row * count * 66;
    float top = kLowest, sum = 0.0f, mix = 0.0f;
#pragma unroll 4
    for (int p = 0; p < count; ++p) top = fmaxf(top, own[p * 66 + 64]);
#pragma unroll 4
    for (int p = 0; p < count; ++p) {
        const float factor = expf(own[p * 66 + 64] - top);
        sum += own[p * 66 + 65] * factor;
        mix += own[p * 66 + threadIdx.x] * factor;
    }
    out[row * 64 + threadIdx.x] = mix / sum;
}
