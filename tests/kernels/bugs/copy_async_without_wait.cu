// expect: missing-async-wait
// buffer x: f32 128 uniform const
// buffer o: f32 128 uninitialized
//! launch k<<<1, 128>>>(x, o)
#include <cuda_pipeline.h>
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    o[threadIdx.x] = s[127 - threadIdx.x];  // BUG: a barrier waits for threads, not for copies
}
