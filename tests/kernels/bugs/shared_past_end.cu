// expect: out-of-bounds
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[256], guard[256];
    int t = threadIdx.x;
    s[t] = x[t];
    guard[t] = 0;
    __syncthreads();
    o[t] = s[t + 1] + guard[t];  // BUG
}
