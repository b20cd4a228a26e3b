// verdict: wrong_answer
// x * (127 / top) is rounded twice on its way and misses ties that x / (top / 127) meets.

//! scratch largest unsigned 1 zero
//! launch find_largest<<<ceil_div(n, 256), 256>>>(x, largest, n)
//! launch quantize<<<ceil_div(n, 256), 256>>>(x, largest, scale, q, y, n)

__global__ void find_largest(const float* x, unsigned* largest, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(largest, __float_as_uint(fabsf(x[i])));
}

__global__ void quantize(const float* x, const unsigned* largest, float* scale, signed char* q, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float top = __uint_as_float(*largest);
    float step = top > 0.0f ? top / 127.0f : 1.0f;
    q[i] = (signed char)rintf(x[i] * (top > 0.0f ? 127.0f / top : 1.0f));
    y[i] = q[i] * step;
    if (i == 0) scale[0] = step;
}
