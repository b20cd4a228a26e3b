// Two launches with the maximum in scratch memory.
//
// Idea: absolute values are never negative, and the bits of such floats are ordered like unsigned integers; so one
// atomicMax per block finds the maximum, without a second reduction.
// Cost: 13 bytes per element: nothing can be quantized before every element has been seen once.
// Why the scratch word is zeroed by its directive: zero is neutral for a maximum of absolute values.

//! scratch largest unsigned 1 zero
//! launch find_largest<<<min(ceil_div(n, 1024), 1056), 256>>>(x, largest, n)
//! launch quantize<<<ceil_div(n, 256), 256>>>(x, largest, scale, q, y, n)

__global__ void find_largest(const float* x, unsigned* largest, int n) {
    __shared__ unsigned best[8];
    unsigned top = 0;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        top = max(top, __float_as_uint(fabsf(x[i])));
    }
    top = __reduce_max_sync(0xffffffffu, top);
    if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = top;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) top = max(top, best[w]);
        atomicMax(largest, top);
    }
}

__global__ void quantize(const float* x, const unsigned* largest, float* scale, signed char* q, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float top = __uint_as_float(*largest);
    float step = top > 0.0f ? top / 127.0f : 1.0f;
    float whole = rintf(x[i] / step);
    q[i] = (signed char)whole;
    y[i] = whole * step;
    if (i == 0) scale[0] = step;
}
