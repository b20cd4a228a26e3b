__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float top = 0.0f;
    for (int i = t; i < n; i += 256)
        top = fmaxf(top, fabsf(x[i]));
    s[t] = top;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h)
            s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    float step = s[0] > 0.0f ? s[0] / 127.0f : 1.0f;
    if (t == 0)
        scale[0] = step;
    for (int i = t; i < n; i += 256) {
        float v = rintf(x[i] / step);
        q[i] = (signed char)v;
        y[i] = v * step;
    }
}
