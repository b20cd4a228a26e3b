// expect: clean
// compare: exact
// buffer x: f32 128 uniform const
// buffer o: f32 128 uninitialized
//! launch k<<<1, 128>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[128];
    int t = threadIdx.x;
    if (t < 64)
        for (int j = t; j < 128; j += 64) s[j] = x[j] * 2;
    __syncthreads();
    if (t >= 64) {
        o[t] = s[t - 64];
        o[t - 64] = s[t];
    }
}
