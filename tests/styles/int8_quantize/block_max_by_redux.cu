// The maximum of float bits by __reduce_max_sync.
__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ unsigned tops[8];
    unsigned top = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) top = max(top, __float_as_uint(x[i]) & 0x7fffffffu);
    top = __reduce_max_sync(~0u, top);
    if (threadIdx.x % 32 == 0) tops[threadIdx.x / 32] = top;
    __syncthreads();
    for (int w = 0; w < 8; ++w) top = max(top, tops[w]);
    float step = top ? __fdiv_rn(__uint_as_float(top), 127.0f) : 1.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int whole = __float2int_rn(x[i] / step);
        q[i] = (signed char)whole;
        y[i] = __int2float_rn(whole) * step;
    }
    if (threadIdx.x == 0) *scale = step;
}
