// The largest with its place as a structure with padding, through shared memory.
struct Best {
    float size;
    short place;
};
__global__ void int8_quantize(const float* x, float* scale, signed char* q, float* y, int n) {
    __shared__ Best s[256];
    Best best;
    best.size = 0;
    best.place = -1;
    for (int i = threadIdx.x; i < n; i += 256)
        if (fabsf(x[i]) > best.size) best = {fabsf(x[i]), (short)i};
    s[threadIdx.x] = best;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (threadIdx.x < h && s[threadIdx.x + h].size > s[threadIdx.x].size) s[threadIdx.x] = s[threadIdx.x + h];
        __syncthreads();
    }
    Best all = s[0];
    float step = all.place < 0 ? 1.0f : fabsf(x[all.place]) / 127.0f;
    for (int i = threadIdx.x; i < n; i += 256) {
        float w = rintf(x[i] / step);
        q[i] = w;
        y[i] = w * step;
    }
    if (threadIdx.x == 0) scale[0] = step;
}
