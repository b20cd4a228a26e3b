// expect: out-of-bounds
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256, 512>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = x[t];  // BUG
    __syncthreads();
    if (t < 128) o[t] = s[t];
}
