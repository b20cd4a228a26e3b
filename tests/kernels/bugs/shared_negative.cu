// expect: out-of-bounds
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float before[256], s[256];
    int t = threadIdx.x;
    before[t] = 0;
    s[t] = x[t];
    __syncthreads();
    o[t] = s[t - 1] + before[t];  // BUG
}
