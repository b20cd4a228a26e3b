// verdict: wrong_answer
// An array of zeros has the maximum 0, and 0 / 0 is not a number.

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
    float step = best[0] / 127.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float whole = rintf(x[i] / step);
        q[i] = (signed char)whole;
        y[i] = whole * step;
    }
    if (threadIdx.x == 0) scale[0] = step;
}
