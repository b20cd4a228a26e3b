// expect: clean
// compare: ulp16 1
// buffer x: f32 256 positive const
// buffer o: f16 1536 uninitialized
//! launch k<<<1, 256>>>(x, o)
#include <cuda_fp16.h>
extern "C" __global__ void k(const float* x, __half* o) {
    int t = threadIdx.x;
    __half v = __float2half(x[t]), w = __float2half(0.75f);
    o[t] = __hadd(v, w);
    o[256 + t] = __hmul(v, w);
    o[512 + t] = __hfma(v, w, v);
    o[768 + t] = __hdiv(v, w);
    o[1024 + t] = hsqrt(v);
    o[1280 + t] = __hgt(v, w) ? __hmax(v, w) : __hneg(v);
}
