// expect: out-of-bounds
// buffer x: f32 1001 uniform const
// buffer o: f32 1004 uninitialized
//! launch k<<<1, 251>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int i = threadIdx.x;
    float4 v = reinterpret_cast<const float4*>(x)[i];  // BUG
    reinterpret_cast<float4*>(o)[i] = v;
}
