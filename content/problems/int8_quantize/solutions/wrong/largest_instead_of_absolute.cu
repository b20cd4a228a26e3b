// verdict: wrong_answer
// Calibrates on the largest element. If the smallest one is farther from zero, it does not fit 8 bits and wraps.

__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ float best[256];
    float top = x[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) top = fmaxf(top, x[i]);
    best[threadIdx.x] = top;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
    }
    __syncthreads();
    float step = best[0] > 0.0f ? best[0] / 127.0f : 1.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float whole = rintf(x[i] / step);
        q[i] = (signed char)(int)whole;
        y[i] = q[i] * step;
    }
    if (threadIdx.x == 0) scale[0] = step;
}
