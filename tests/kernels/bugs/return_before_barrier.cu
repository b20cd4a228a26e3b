// expect: exited-barrier
// buffer x: f32 1000 uniform const
// buffer o: f32 1000 uninitialized
//! launch k<<<4, 256>>>(x, o, 1000)
extern "C" __global__ void k(const float* x, float* o, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i >= n) return;
    s[t] = x[i];
    __syncthreads();  // BUG
    o[i] = s[t];
}
