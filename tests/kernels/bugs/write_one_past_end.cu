// expect: out-of-bounds
// buffer x: f32 1000 uniform const
// buffer o: f32 1000 uninitialized
//! launch k<<<4, 256>>>(x, o, 1000)
extern "C" __global__ void k(const float* x, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        o[i] = 1.0f;  // BUG
}
