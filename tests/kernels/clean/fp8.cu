// expect: clean
// compare: exact
// buffer x: f32 256 uniform const
// buffer o: u8 512 uninitialized
// buffer q: f32 512 uninitialized
//! launch k<<<1, 256>>>(x, o, q)
#include <cuda_fp8.h>
extern "C" __global__ void k(const float* x, unsigned char* o, float* q) {
    int t = threadIdx.x;
    __nv_fp8_e4m3 a(x[t] * 500);
    __nv_fp8_e5m2 b(x[t] * 1e5f);
    o[t] = a.__x;
    o[256 + t] = b.__x;
    q[t] = float(a);
    q[256 + t] = float(b);
}
