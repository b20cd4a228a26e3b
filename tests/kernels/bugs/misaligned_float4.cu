// expect: misaligned
// buffer x: f32 2000 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int i = threadIdx.x;
    float4 v = *reinterpret_cast<const float4*>(x + 4 * i + 1);  // BUG
    o[i] = v.x + v.w;
}
