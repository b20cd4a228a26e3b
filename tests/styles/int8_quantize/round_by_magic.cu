// Rounding to even by adding and taking away 1.5 * 2^23.
//! launch int8_quantize<<<1, 64>>>(x, scale, q, y, n)
__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ int top;
    if (threadIdx.x == 0) top = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) atomicMax(&top, __float_as_int(fabsf(x[i])));
    __syncthreads();
    const float largest = __int_as_float(top), step = largest == 0 ? 1.0f : largest / 127.0f, magic = 12582912.0f;
    for (int i = threadIdx.x; i < n; i += 64) {
        float w = __fadd_rn(__fadd_rn(x[i] / step, magic), -magic);
        q[i] = (signed char)(int)w;
        y[i] = w * step;
    }
    if (threadIdx.x == 0) *scale = step;
}
