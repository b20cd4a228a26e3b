// expect: race-global
// buffer x: f32 512 uniform const
// buffer s: f32 512 uninitialized
// buffer o: f32 512 zeros
//! launch k<<<2, 256>>>(x, s, o)
extern "C" __global__ void k(const float* x, float* s, float* o) {
    int i = blockIdx.x * 256 + threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    if (blockIdx.x == 1)
        o[i] = s[511 - i];  // BUG
}
