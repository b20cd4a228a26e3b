// expect: clean
// compare: exact
// buffer x: f16 512 small16 const
// buffer o: f16 1536 uninitialized
//! launch k<<<1, 256>>>(x, o)
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half2* x, __half2* o) {
    int t = threadIdx.x;
    __half2 v = x[t], w = __floats2half2_rn(0.5f, -1.25f);
    o[t] = __hadd2(v, w);
    o[256 + t] = __hfma2(v, w, v);
    o[512 + t] = __hmax2(__hmul2(v, w), __lows2half2(v, w));
}
