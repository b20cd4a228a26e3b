// verdict: wrong_answer
// The last tile is filled up with keys of 0, and their score of 0 counts like any other.

//! launch flash_attention<<<dim3(ceil_div(n, 128), heads), 128>>>(q, k, v, o, heads, n)

constexpr int kQueries = 128, kKeys = 32, kAtOnce = 4;
constexpr float kScale = 0.17677669529663689f;  // 1 / sqrt(32)
constexpr float kLowest = -3.402823466e+38f;

__global__ void __launch_bounds__(kQueries) flash_attention(const float* __restrict__ q, const float* __restrict__ k,
                                                            const float* __restrict__ v, float* __restrict__ o, int heads,
                                                            int n) {
    __shared__ float4 keys[kKeys][8], values[kKeys][8];
    const long long head = blockIdx.y * (long long)n * 8;  // in float4
    const int i = blockIdx.x * kQueries + threadIdx.x;
    float4 own[8], sum[8];
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        const float4 all = reinterpret_cast<const float4*>(q)[head + min(i, n - 1) * 8LL + c];
        own[c] = make_float4(kScale * all.x, kScale * all.y, kScale * all.z, kScale * all.w);
        sum[c] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    float top = kLowest, total = 0.0f;
    for (int start = 0; start < n; start += kKeys) {
        for (int f = threadIdx.x; f < kKeys * 8; f += kQueries) {
            const bool inside = start + f / 8 < n;
            const long long at = head + start * 8LL + f;
            keys[f / 8][f % 8] = inside ? reinterpret_cast<const float4*>(k)[at] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            values[f / 8][f % 8] = inside ? reinterpret_cast<const float4*>(v)[at] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
        __syncthreads();
        for (int j = 0; j < kKeys; j += kAtOnce) {
            float score[kAtOnce], highest = top;
#pragma unroll
            for (int p = 0; p < kAtOnce; ++p) {
                float even = 0.0f, odd = 0.0f;
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    const float4 key = keys[j + p][c];
                    even += own[c].x * key.x;
                    odd += own[c].y * key.y;
                    even += own[c].z * key.z;
                    odd += own[c].w * key.w;
                }
                score[p] = even + odd;
                highest = fmaxf(highest, score[p]);
            }
            if (highest > top) {
                const float smaller = expf(top - highest);
                top = highest;
                total *= smaller;
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    sum[c] = make_float4(sum[c].x * smaller, sum[c].y * smaller, sum[c].z * smaller, sum[c].w * smaller);
                }
            }
#pragma unroll
            for (int p = 0; p < kAtOnce; ++p) {
                const float share = expf(score[p] - top);
                total += share;
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    const float4 value = values[j + p][c];
                    sum[c].x += share * value.x;
                    sum[c].y += share * value.y;
                    sum[c].z += share * value.z;
                    sum[c].w += share * value.w;
                }
            }
        }
        __syncthreads();
    }
    if (i >= n) return;
    const float inverse = 1.0f / total;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        reinterpret_cast<float4*>(o)[head + i * 8LL + c] =
            make_float4(sum[c].x * inverse, sum[c].y * inverse, sum[c].z * inverse, sum[c].w * inverse);
    }
}
