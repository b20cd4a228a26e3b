// expect: clean
// compare: exact
// buffer x: f32 256 uniform const
// buffer o: f32 1 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int j = 128; j > 32; j >>= 1) {
        if (t < j) s[t] += s[t + j];
        __syncthreads();
    }
    if (t < 32) {
        float v = s[t] + s[t + 32];
        __syncwarp();
        s[t] = v;
        __syncwarp();
        for (int j = 16; j > 0; j >>= 1) {
            v = s[t] + s[t + j];
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
        if (t == 0) o[0] = v;
    }
}
