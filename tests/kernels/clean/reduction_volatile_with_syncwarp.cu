// expect: clean
// compare: exact
// buffer x: f32 64 uniform const
// buffer o: f32 1 uninitialized
//! launch k<<<1, 32>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncwarp();
    for (int j = 32; j > 0; j >>= 1) {
        float v = s[t] + s[t + j];
        __syncwarp();
        s[t] = v;
        __syncwarp();
    }
    if (t == 0) o[0] = s[0];
}
