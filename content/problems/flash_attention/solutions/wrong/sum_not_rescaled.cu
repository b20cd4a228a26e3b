// verdict: wrong_answer
// When a larger score comes, the weighted values shrink and the sum of the exponentials does not.

constexpr float kScale = 0.17677669529663689f;  // 1 / sqrt(32)

__global__ void __launch_bounds__(64) flash_attention(const float* __restrict__ q, const float* __restrict__ k,
                                                      const float* __restrict__ v, float* __restrict__ o, int heads, int n) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const long long head = blockIdx.y * (long long)n * 8;  // in float4
    const float4* keys = reinterpret_cast<const float4*>(k) + head;
    const float4* values = reinterpret_cast<const float4*>(v) + head;
    float4 own[8], sum[8];
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        own[c] = reinterpret_cast<const float4*>(q)[head + i * 8LL + c];
        sum[c] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    float top = -3.402823466e+38f, total = 0.0f;
    for (int j = 0; j < n; ++j) {
        float4 dot = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
        for (int c = 0; c < 8; ++c) {
            const float4 key = keys[j * 8LL + c];
            dot.x += own[c].x * key.x;
            dot.y += own[c].y * key.y;
            dot.z += own[c].z * key.z;
            dot.w += own[c].w * key.w;
        }
        const float score = kScale * ((dot.x + dot.y) + (dot.z + dot.w));
        if (score > top) {
            const float smaller = expf(top - score);
            top = score;
#pragma unroll
            for (int c = 0; c < 8; ++c) {
                sum[c] = make_float4(sum[c].x * smaller, sum[c].y * smaller, sum[c].z * smaller, sum[c].w * smaller);
            }
        }
        const float share = expf(score - top);
        total += share;
#pragma unroll
        for (int c = 0; c < 8; ++c) {
            const float4 value = values[j * 8LL + c];
            sum[c].x += share * value.x;
            sum[c].y += share * value.y;
            sum[c].z += share * value.z;
            sum[c].w += share * value.w;
        }
    }
    const float inverse = 1.0f / total;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        reinterpret_cast<float4*>(o)[head + i * 8LL + c] =
            make_float4(sum[c].x * inverse, sum[c].y * inverse, sum[c].z * inverse, sum[c].w * inverse);
    }
}
