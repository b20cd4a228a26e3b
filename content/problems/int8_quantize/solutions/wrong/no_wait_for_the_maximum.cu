// verdict: race
// Blocks of one launch quantize with whatever the maximum is at that moment; other blocks may still raise it.

//! scratch largest unsigned 1 zero
//! launch int8_quantize<<<ceil_div(n, 256), 256>>>(x, largest, scale, q, y, n)

__global__ void int8_quantize(const float* x, unsigned* largest, float* scale, signed char* q, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(largest, __float_as_uint(fabsf(x[i])));
    __syncthreads();
    float top = __uint_as_float(*largest);
    float step = top > 0.0f ? top / 127.0f : 1.0f;
    if (i < n) {
        float whole = rintf(x[i] / step);
        q[i] = (signed char)whole;
        y[i] = whole * step;
    }
    if (i == 0) scale[0] = step;
}
