// verdict: wrong_answer
// Each part is divided by its own sum, as if it were a row.

//! scratch pairs float 16*rows
//! launch part_sums<<<8*rows, 256>>>(x, pairs, rows, cols)
//! launch quotients<<<8*rows, 256>>>(x, pairs, y, rows, cols)

constexpr int kParts = 8, kThreads = 256;
constexpr float kLowest = -3.402823466e+38f;
constexpr unsigned kAll = 0xffffffffu;

__device__ float2 join(float2 p, float2 q) {  // x: maximum, y: sum relative to it
    const float top = fmaxf(p.x, q.x);
    return make_float2(top, p.y * expf(p.x - top) + q.y * expf(q.x - top));
}

template <int kLanes>
__device__ float2 lanes_join(float2 pair) {
    for (int d = kLanes / 2; d > 0; d /= 2) {
        pair = join(pair, make_float2(__shfl_xor_sync(kAll, pair.x, d), __shfl_xor_sync(kAll, pair.y, d)));
    }
    return pair;
}

__global__ void __launch_bounds__(kThreads) part_sums(const float* __restrict__ x, float* __restrict__ pairs, int rows,
                                                      int cols) {
    __shared__ float2 partial[kThreads / 32];
    const float4* from = reinterpret_cast<const float4*>(x + (long long)(blockIdx.x / kParts) * cols);
    const int share = (cols / 4 + kParts - 1) / kParts, first = int(blockIdx.x % kParts) * share;
    const int end = min(first + share, cols / 4), warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    float2 pair = make_float2(kLowest, 0.0f);
#pragma unroll 4
    for (int i = first + threadIdx.x; i < end; i += kThreads) {
        const float4 v = from[i];
        const float top = fmaxf(pair.x, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        pair.y = pair.y * expf(pair.x - top) + ((expf(v.x - top) + expf(v.y - top)) + (expf(v.z - top) + expf(v.w - top)));
        pair.x = top;
    }
    pair = lanes_join<32>(pair);
    if (lane == 0) partial[warp] = pair;
    __syncthreads();
    if (warp > 0) return;
    pair = lanes_join<8>(partial[lane % 8]);
    if (lane == 0) reinterpret_cast<float2*>(pairs)[blockIdx.x] = pair;
}

__global__ void __launch_bounds__(kThreads) quotients(const float* __restrict__ x, const float* __restrict__ pairs,
                                                      float* __restrict__ y, int rows, int cols) {
    const long long row = blockIdx.x / kParts;
    const float4* from = reinterpret_cast<const float4*>(x + row * cols);
    float4* to = reinterpret_cast<float4*>(y + row * cols);
    const int share = (cols / 4 + kParts - 1) / kParts, first = int(blockIdx.x % kParts) * share;
    const int end = min(first + share, cols / 4);

    const float2 whole = reinterpret_cast<const float2*>(pairs)[blockIdx.x];
    const float scale = 1.0f / whole.y;
#pragma unroll 4
    for (int i = first + threadIdx.x; i < end; i += kThreads) {
        const float4 v = from[i];
        to[i] = make_float4(expf(v.x - whole.x) * scale, expf(v.y - whole.x) * scale, expf(v.z - whole.x) * scale,
                            expf(v.w - whole.x) * scale);
    }
}
