// cvt.rni and saturation in PTX.
__device__ int whole(float v) {
    int r;
    asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(r) : "f"(v));
    return r;
}
__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ float s[256];
    float top = 0;
    for (int i = threadIdx.x; i < n; i += 256) {
        float v = x[i];
        asm("abs.f32 %0, %1;" : "=f"(v) : "f"(v));
        asm("max.f32 %0, %0, %1;" : "+f"(top) : "f"(v));
    }
    s[threadIdx.x] = top;
    for (int h = 128; h; h >>= 1) {
        __syncthreads();
        if (threadIdx.x < h) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + h]);
    }
    __syncthreads();
    float step = s[0] > 0 ? s[0] / 127.0f : 1.0f;
    for (int i = threadIdx.x; i < n; i += 256) {
        int w = whole(x[i] / step);
        q[i] = (signed char)w;
        y[i] = (signed char)w * step;
    }
    if (threadIdx.x == 0) *scale = step;
}
