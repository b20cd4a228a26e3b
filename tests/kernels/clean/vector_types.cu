// expect: clean
// compare: exact
// buffer x: f32 1024 uniform const
// buffer o: f32 1024 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float4* x, float4* o) {
    float4 v = __ldg(x + threadIdx.x);
    o[threadIdx.x] = make_float4(v.w, v.z * 2, v.y - 1, -v.x);
}
