// expect: race-shared
// buffer x: f32 64 uniform const
// buffer o: f32 1 uninitialized
//! launch k<<<1, 32>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncthreads();
    s[t] += s[t + 32];
    s[t] += s[t + 16];  // BUG
    __syncthreads();
    if (t == 0) o[0] = s[0];
}
