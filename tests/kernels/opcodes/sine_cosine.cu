// approximate sine and cosine
// expect: clean
// compare: absolute 1e-5
// buffer a: f32 4096 uniform const
// buffer o: f32 8192 uninitialized
// segment 0: sin.approx.f32
// segment 4096: cos.approx.f32
//! launch k<<<16, 256>>>(a, o)
extern "C" __global__ void k(const float* a, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[0 + i] = r;
    asm volatile("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[4096 + i] = r;
}
