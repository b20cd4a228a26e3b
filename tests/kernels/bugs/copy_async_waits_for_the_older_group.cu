// expect: missing-async-wait
// buffer x: f32 512 uniform const
// buffer o: f32 128 uninitialized
//! launch k<<<1, 128>>>(x, o)
#include <cuda_pipeline.h>
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[2][128];
    float sum = 0;
    __pipeline_memcpy_async(&s[0][threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    for (int stage = 0; stage < 4; stage++) {
        if (stage < 3) {
            __pipeline_memcpy_async(&s[(stage + 1) % 2][threadIdx.x], &x[128 * (stage + 1) + threadIdx.x], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);  // in the last stage nothing newer is under way: it has to be 0
        sum += s[stage % 2][threadIdx.x];  // BUG
    }
    o[threadIdx.x] = sum;
}
