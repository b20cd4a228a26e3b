// expect: inactive-lane
// buffer x: f32 32 uniform const
// buffer o: f32 32 zeros
//! launch k<<<1, 32>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int t = threadIdx.x;
    if (t >= 20) return;
    float v = x[t];
    v += __shfl_down_sync(0xffffffff, v, 16);  // BUG
    o[t] = v;
}
