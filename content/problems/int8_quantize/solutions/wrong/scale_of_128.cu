// verdict: wrong_answer
// 256 steps sound natural, but 128 does not fit a signed char: the largest positive element becomes -128.

__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ float best[256];
    float top = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) top = fmaxf(top, fabsf(x[i]));
    best[threadIdx.x] = top;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
    }
    __syncthreads();
    float step = best[0] > 0.0f ? best[0] / 128.0f : 1.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        q[i] = (signed char)(int)rintf(x[i] / step);
        y[i] = q[i] * step;
    }
    if (threadIdx.x == 0) scale[0] = step;
}
