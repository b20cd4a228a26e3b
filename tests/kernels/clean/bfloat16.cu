// expect: clean
// compare: exact
// buffer x: bf16 512 small16 const
// buffer o: bf16 1536 uninitialized
//! launch k<<<1, 256>>>(x, o)
#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat162* x, __nv_bfloat162* o) {
    int t = threadIdx.x;
    __nv_bfloat162 v = x[t], w = __floats2bfloat162_rn(0.5f, -1.25f);
    o[t] = __hadd2(v, w);
    o[256 + t] = __hfma2(v, w, v);
    o[512 + t] = __float22bfloat162_rn(make_float2(__low2float(v) * 3, __high2float(v) / 3));
}
