// expect: inactive-lane
// buffer x: f32 32 uniform const
// buffer o: f32 32 zeros
//! launch k<<<1, 32>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int t = threadIdx.x;
    float v = x[t];
    if (t < 16) {
        v += __shfl_down_sync(0x0000ffff, v, 8, 32);  // BUG
        o[t] = v;
    }
}
