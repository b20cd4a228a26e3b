// expect: clean
// compare: exact
// buffer x: f32 64 integers 0 3 const
// buffer o: f16 1 zeros
// buffer p: u32 1 zeros
//! launch k<<<1, 64>>>(x, o, p)
#include <cuda_fp16.h>
extern "C" __global__ void k(const float* x, __half* o, __half2* p) {
    atomicAdd(o, __float2half(x[threadIdx.x]));
    atomicAdd(p, __floats2half2_rn(x[threadIdx.x], 1.0f));
}
