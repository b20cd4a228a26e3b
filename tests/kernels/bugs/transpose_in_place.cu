// expect: race-global
// buffer x: f32 1024 uniform
//! launch k<<<dim3(2,2), dim3(16,16)>>>(x)
extern "C" __global__ void k(float* x) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    float v = x[r * 32 + c];
    x[c * 32 + r] = v;  // BUG
}
