// expect: clean
// compare: relative 1e-5
// buffer x: f32 512 uniform const
// buffer o: f32 512 uninitialized
//! launch k<<<4, 128>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[4], mean, scale;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float v = x[i], w = v;
    for (int j = 16; j; j >>= 1) w += __shfl_xor_sync(0xffffffff, w, j);
    if (t % 32 == 0) s[t / 32] = w;
    __syncthreads();
    if (t == 0) mean = (s[0] + s[1] + s[2] + s[3]) / 128;
    __syncthreads();
    w = (v - mean) * (v - mean);
    for (int j = 16; j; j >>= 1) w += __shfl_xor_sync(0xffffffff, w, j);
    if (t % 32 == 0) s[t / 32] = w;
    __syncthreads();
    if (t == 0) scale = rsqrtf((s[0] + s[1] + s[2] + s[3]) / 128 + 1e-5f);
    __syncthreads();
    o[i] = (v - mean) * scale;
}
