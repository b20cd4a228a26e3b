// verdict: wrong_answer
// When the maximum rises, the sum so far still counts relative to the old one.

constexpr int kThreads = 1024;
constexpr float kLowest = -3.402823466e+38f;
constexpr unsigned kAll = 0xffffffffu;

__device__ float2 join(float2 p, float2 q) {  // x: maximum, y: sum relative to it
    const float top = fmaxf(p.x, q.x);
    return make_float2(top, p.y * expf(p.x - top) + q.y * expf(q.x - top));
}

__device__ float2 warp_join(float2 pair) {
    for (int d = 16; d > 0; d /= 2) {
        pair = join(pair, make_float2(__shfl_xor_sync(kAll, pair.x, d), __shfl_xor_sync(kAll, pair.y, d)));
    }
    return pair;
}

__global__ void __launch_bounds__(kThreads) long_softmax(const float* __restrict__ x, float* __restrict__ y, int rows,
                                                         int cols) {
    __shared__ float2 partial[kThreads / 32];
    const long long start = (long long)blockIdx.x * cols;
    const float4* from = reinterpret_cast<const float4*>(x + start);
    float4* to = reinterpret_cast<float4*>(y + start);
    const int vectors = cols / 4, warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    float2 pair = make_float2(kLowest, 0.0f);
#pragma unroll 4
    for (int i = threadIdx.x; i < vectors; i += kThreads) {
        const float4 v = from[i];
        const float top = fmaxf(pair.x, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        pair.y += ((expf(v.x - top) + expf(v.y - top)) + (expf(v.z - top) + expf(v.w - top)));
        pair.x = top;
    }
    pair = warp_join(pair);
    if (lane == 0) partial[warp] = pair;
    __syncthreads();
    const float2 row = warp_join(partial[lane]);
    const float scale = 1.0f / row.y;
#pragma unroll 4
    for (int i = threadIdx.x; i < vectors; i += kThreads) {
        const float4 v = from[i];
        to[i] = make_float4(expf(v.x - row.x) * scale, expf(v.y - row.x) * scale, expf(v.z - row.x) * scale,
                            expf(v.w - row.x) * scale);
    }
}
