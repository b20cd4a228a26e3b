// expect: race-global
// buffer x: f32 1024 uniform
//! launch k<<<4, 256>>>(x)
extern "C" __global__ void k(float* x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i > 0 && i < 1023)
        x[i] = x[i - 1] + x[i + 1];  // BUG
}
