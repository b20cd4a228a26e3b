// exp(x - log(sum)) with a compile-time block size and named constants.
//! launch by_logarithm<128><<<rows, 128>>>(x, y, cols)
template <unsigned kThreads>
__global__ void __launch_bounds__(kThreads, 4) by_logarithm(const float* __restrict__ x, float* __restrict__ y, int cols) {
    static_assert((kThreads & (kThreads - 1)) == 0, "a power of two");
    __shared__ float s[kThreads];
    const unsigned t = threadIdx.x;
    const float* from = x + (size_t)blockIdx.x * cols;
    float v = __int_as_float(0xff800000);
    for (unsigned j = t; j < cols; j += kThreads) v = fmaxf(v, from[j]);
    s[t] = v;
    __syncthreads();
#pragma unroll
    for (unsigned h = kThreads / 2; h; h /= 2) {
        if (t < h) s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    const float top = s[0];
    __syncthreads();
    v = 0;
    for (unsigned j = t; j < cols; j += kThreads) v += expf(from[j] - top);
    s[t] = v;
    __syncthreads();
#pragma unroll
    for (unsigned h = kThreads / 2; h; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    const float inverse = 1.0f / s[0];
    for (unsigned j = t; j < cols; j += kThreads) y[(size_t)blockIdx.x * cols + j] = expf(from[j] - top) * inverse;
}
