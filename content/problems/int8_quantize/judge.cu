// Expected values of int8_quantize: the same float operations, with roundings written out, and a plain maximum.
//! scratch largest unsigned 1 zero
//! launch find_largest<<<1024, 256>>>(x, largest, n)
//! launch expect_quantized<<<ceil_div(n, 256), 256>>>(x, largest, expected_scale, expected_q, expected_y, n)

__global__ void find_largest(const float* x, unsigned* largest, int n) {
    float top = 0.0f;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) top = fmaxf(top, fabsf(x[i]));
    atomicMax(largest, __float_as_uint(top));
}

__global__ void expect_quantized(const float* x, const unsigned* largest, double* scale, signed char* q, double* y,
                                 int n) {
    long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= n) return;
    float top = __uint_as_float(*largest);
    float step = top > 0.0f ? __fdiv_rn(top, 127.0f) : 1.0f;
    float whole = rintf(__fdiv_rn(x[i], step));
    q[i] = (signed char)whole;
    y[i] = __fmul_rn(whole, step);
    if (i == 0) *scale = step;
}
