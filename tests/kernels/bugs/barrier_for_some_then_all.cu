// expect: divergent-barrier
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int t = threadIdx.x;
    if (t < 128)
        __syncthreads();  // BUG
    o[t] = x[t];
    __syncthreads();  // BUG
    o[t] += 1;
}
