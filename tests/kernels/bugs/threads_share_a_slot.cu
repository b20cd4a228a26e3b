// expect: race-shared
// buffer x: f32 256 uniform const
// buffer o: f32 128 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t / 2] = x[t];  // BUG
    __syncthreads();
    if (t < 128) o[t] = s[t];
}
