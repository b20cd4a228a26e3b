// expect: exited-barrier
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int t = threadIdx.x;
    o[t] = x[t];
    if (t < 100) {
        __syncthreads();  // BUG
        o[t] = 2 * x[t];
    }
}
