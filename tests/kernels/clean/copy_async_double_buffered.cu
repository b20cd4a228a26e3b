// expect: clean
// compare: exact
// buffer x: i32 512 integers -9 9 const
// buffer o: i32 128 uninitialized
//! launch k<<<1, 128>>>(x, o)
#include <cuda_pipeline.h>
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[2][128];
    int sum = 0;
    __pipeline_memcpy_async(&s[0][threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    for (int stage = 0; stage < 4; stage++) {
        if (stage < 3) __pipeline_memcpy_async(&s[(stage + 1) % 2][threadIdx.x], &x[128 * (stage + 1) + threadIdx.x], 4);
        __pipeline_commit();  // an empty group at the end keeps the count
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += (stage + 1) * s[stage % 2][127 - threadIdx.x];
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
