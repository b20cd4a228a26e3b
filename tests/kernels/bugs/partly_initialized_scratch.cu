// expect: uninitialized-global
// buffer x: f32 256 uniform const
// buffer s: f32 256 uninitialized
// buffer o: f32 256 uninitialized
//! launch a<<<1, 200>>>(x, s)
//! launch k<<<1, 256>>>(s, o)
extern "C" __global__ void a(const float* x, float* s) { s[threadIdx.x] = x[threadIdx.x]; }
extern "C" __global__ void k(const float* s, float* o) {
    o[threadIdx.x] = s[threadIdx.x];  // BUG
}
