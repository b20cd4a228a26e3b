// expect: missing-barrier
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float best;
    if (threadIdx.x == 0) best = x[7];
    o[threadIdx.x] = best;  // BUG
}
