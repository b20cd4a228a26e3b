// expect: clean
// compare: exact
// buffer x: f32 512 uniform const
// buffer o: f32 512 uninitialized
//! launch k<<<1, 128>>>(x, o)
#include <cuda_pipeline.h>
extern "C" __global__ void k(const float4* x, float4* o) {
    __shared__ float4 s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    o[threadIdx.x] = s[127 - threadIdx.x];
}
