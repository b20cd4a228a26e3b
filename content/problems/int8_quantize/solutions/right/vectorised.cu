// Two launches, 16-byte loads, four quantized values to a word.
//
// Idea: read float4, four of them in flight per thread; four quantized values leave as one char4, so that no store is
// narrower than 4 bytes.
// Cost: 13 bytes per element: nothing can be quantized before every element has been seen once. (The last few dozen MB
// are still in the L2 cache when the second launch starts; walking backwards to meet them gained nothing measurable.)
// Why a true division costs nothing: at 13 bytes per element the card has some 80 instructions per element to spend.

//! scratch largest unsigned 1 zero
//! launch find_largest<<<min(ceil_div(n, 1024), 1056), 256>>>(x, largest, n)
//! launch quantize<<<ceil_div(n, 4096), 256>>>(x, largest, scale, q, y, n)

constexpr int kUnroll = 4;  // float4 per thread and step

__device__ unsigned absolute_bits(float v) { return __float_as_uint(v) & 0x7fffffffu; }

__device__ unsigned absolute_bits(float4 v) {
    return max(max(absolute_bits(v.x), absolute_bits(v.y)), max(absolute_bits(v.z), absolute_bits(v.w)));
}

__global__ void __launch_bounds__(256) find_largest(const float* __restrict__ x, unsigned* largest, int n) {
    __shared__ unsigned best[8];
    const float4* x4 = reinterpret_cast<const float4*>(x);
    const long long vectors = n / 4, stride = gridDim.x * 256LL;
    long long i = blockIdx.x * 256LL + threadIdx.x;
    unsigned top = i < n % 4 ? absolute_bits(x[vectors * 4 + i]) : 0;
    for (; i < vectors; i += kUnroll * stride) {
        float4 v[kUnroll];
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) {
            v[k] = i + k * stride < vectors ? x4[i + k * stride] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) top = max(top, absolute_bits(v[k]));
    }
    top = __reduce_max_sync(0xffffffffu, top);
    if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = top;
    __syncthreads();
    if (threadIdx.x < 32) {
        top = __reduce_max_sync(0xffffffffu, threadIdx.x < 8 ? best[threadIdx.x] : 0u);
        if (threadIdx.x == 0) atomicMax(largest, top);
    }
}

__device__ float whole_steps(float value, float step) { return rintf(value / step); }

__global__ void __launch_bounds__(256) quantize(const float* __restrict__ x, const unsigned* largest, float* scale,
                                                signed char* __restrict__ q, float* __restrict__ y, int n) {
    const float top = __uint_as_float(*largest);
    const float step = top > 0.0f ? top / 127.0f : 1.0f;
    const int vectors = n / 4;
    const int first = blockIdx.x * (256 * kUnroll) + threadIdx.x;
    float4 v[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
        int i = first + 256 * k;
        if (i < vectors) v[k] = reinterpret_cast<const float4*>(x)[i];
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
        int i = first + 256 * k;
        if (i < vectors) {
            float4 w = make_float4(whole_steps(v[k].x, step), whole_steps(v[k].y, step), whole_steps(v[k].z, step),
                                   whole_steps(v[k].w, step));
            reinterpret_cast<char4*>(q)[i] = make_char4(w.x, w.y, w.z, w.w);
            reinterpret_cast<float4*>(y)[i] = make_float4(w.x * step, w.y * step, w.z * step, w.w * step);
        }
    }
    if (blockIdx.x == 0) {
        if (threadIdx.x < n % 4) {  // what fills no vector
            int i = vectors * 4 + threadIdx.x;
            float w = whole_steps(x[i], step);
            q[i] = (signed char)w;
            y[i] = w * step;
        }
        if (threadIdx.x == 0) scale[0] = step;
    }
}
