// 512 tokens for each block, 32 of them at a time; a second launch joins the parts.
//
// Idea: parts of a softmax join if each keeps its maximum, its sum and its mix; so a long sequence is shared by many blocks.
// Cost: 256 bytes for each token and head, and 264 bytes written and read for 512 of them.
// Why eight lanes for a token: 16 bytes each are the 64 numbers, four tokens to a warp, and three shuffles make a score.

//! scratch parts float batch*heads*ceil_div(max_pages, 32)*66
//! launch attend<<<dim3(ceil_div(max_pages, 32), heads, batch), 256>>>(q, keys, values, table, length, parts, heads, max_pages)
//! launch join_parts<<<dim3(heads, batch), 256>>>(parts, out, heads, ceil_div(max_pages, 32))

#include <cuda_fp16.h>

constexpr int kTokens = 512;  // 32 pages
constexpr unsigned kAll = 0xffffffffu;
constexpr float kLowest = -3.402823466e38f;  // not minus infinity: (-inf) - (-inf) is no number

__device__ void unpack(const half* from, float (&to)[8]) {
    const uint4 eight = *reinterpret_cast<const uint4*>(from);
#pragma unroll
    for (int p = 0; p < 4; ++p) {
        const float2 pair = __half22float2(reinterpret_cast<const half2*>(&eight)[p]);
        to[2 * p] = pair.x;
        to[2 * p + 1] = pair.y;
    }
}

__global__ void __launch_bounds__(256) attend(const half* __restrict__ q, const half* __restrict__ keys,
                                              const half* __restrict__ values, const int* __restrict__ table,
                                              const int* __restrict__ length, float* __restrict__ parts, int heads,
                                              int max_pages) {
    __shared__ float tops[8], sums[8], mixes[8][64];
    const int head = blockIdx.y, sequence = blockIdx.z, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int piece = lane % 8 * 8, first = blockIdx.x * kTokens, end = min(first + kTokens, length[sequence]);
    const long long row = (long long)sequence * heads + head;
    const int* own_pages = table + (long long)sequence * max_pages;
    float query[8], mixed[8] = {}, top = kLowest, sum = 0.0f;
    unpack(q + row * 64 + piece, query);
#pragma unroll 2
    for (int t0 = first + 4 * warp; t0 < end; t0 += 32) {
        const int t = min(t0 + lane / 8, end - 1);
        const bool inside = t == t0 + lane / 8;
        const long long at = (((long long)own_pages[t / 16] * 16 + t % 16) * heads + head) * 64 + piece;
        float key[8], value[8];
        unpack(keys + at, key);
        unpack(values + at, value);
        float score = 0.0f;
#pragma unroll
        for (int p = 0; p < 8; ++p) score += query[p] * key[p];
        for (int d = 4; d > 0; d /= 2) score += __shfl_xor_sync(kAll, score, d);
        const float larger = fmaxf(top, score * 0.125f), old = expf(top - larger);
        const float weight = inside ? expf(score * 0.125f - larger) : 0.0f;
        sum = sum * old + weight;
#pragma unroll
        for (int p = 0; p < 8; ++p) mixed[p] = mixed[p] * old + weight * value[p];
        top = larger;
    }
    // The four groups of a warp, then the eight warps.
    for (int d = 8; d < 32; d *= 2) {
        const float other = __shfl_xor_sync(kAll, top, d), larger = fmaxf(top, other);
        const float mine = expf(top - larger), theirs = expf(other - larger);
        sum = sum * mine + __shfl_xor_sync(kAll, sum, d) * theirs;
#pragma unroll
        for (int p = 0; p < 8; ++p) mixed[p] = mixed[p] * mine + __shfl_xor_sync(kAll, mixed[p], d) * theirs;
        top = larger;
    }
    if (lane == 0) {
        tops[warp] = top;
        sums[warp] = sum;
    }
    if (lane < 8) {
#pragma unroll
        for (int p = 0; p < 8; ++p) mixes[warp][piece + p] = mixed[p];
    }
    __syncthreads();
    if (threadIdx.x >= 64) return;
    float* part = parts + (row * gridDim.x + blockIdx.x) * 66;
    float best = tops[0], total = 0.0f, mix = 0.0f;
    for (int w = 1; w < 8; ++w) best = fmaxf(best, tops[w]);
    for (int w = 0; w < 8; ++w) {
        const float factor = expf(tops[w] - best);
        total += sums[w] * factor;
        mix += mixes[w][threadIdx.x] * factor;
    }
    part[threadIdx.x] = mix;
    if (threadIdx.x == 0) {
        part[64] = best;
        part[65] = total;
    }
}

__global__ void __launch_bounds__(256) join_parts(const float* __restrict__ parts, float* __restrict__ out, int heads,
                                                  int count) {
    __shared__ float tops[4], sums[4], mixes[4][64];
    const int group = threadIdx.x / 64, d = threadIdx.x % 64;
    const long long row = (long long)blockIdx.y * heads + blockIdx.x;
    const float* own = parts + row * count * 66;
    float top = kLowest, sum = 0.0f, mix = 0.0f;
#pragma unroll 4
    for (int p = group; p < count; p += 4) top = fmaxf(top, own[p * 66 + 64]);
#pragma unroll 4
    for (int p = group; p < count; p += 4) {
        const float factor = expf(own[p * 66 + 64] - top);
        sum += own[p * 66 + 65] * factor;
        mix += own[p * 66 + d] * factor;
    }
    mixes[group][d] = mix;
    if (d == 0) {
        tops[group] = top;
        sums[group] = sum;
    }
    __syncthreads();
    if (group > 0) return;
    const float best = fmaxf(fmaxf(tops[0], tops[1]), fmaxf(tops[2], tops[3]));
    sum = mix = 0.0f;
    for (int g = 0; g < 4; ++g) {
        const float factor = expf(tops[g] - best);
        sum += sums[g] * factor;
        mix += mixes[g][d] * factor;
    }
    out[row * 64 + d] = mix / sum;
}
