// expect: race-global
// buffer x: f32 1024 uniform const
// buffer o: f32 512 uninitialized
//! launch k<<<4, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int i = blockIdx.x * 256 + threadIdx.x;
    o[i / 2] = x[i];  // BUG
}
