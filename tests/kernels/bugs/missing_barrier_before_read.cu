// expect: missing-barrier
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    o[t] = s[255 - t];  // BUG
}
