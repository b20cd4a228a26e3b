// approximate functions
// expect: clean
// compare: documented
// buffer a: f32 4096 positive const
// buffer o: f32 24576 uninitialized
// segment 0: ex2.approx.f32
// segment 4096: sqrt.approx.f32
// segment 8192: rsqrt.approx.f32
// segment 12288: rcp.approx.f32
// segment 16384: lg2.approx.f32
// segment 20480: tanh.approx.f32
//! launch k<<<16, 256>>>(a, o)
extern "C" __global__ void k(const float* a, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[0 + i] = r;
    asm volatile("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[4096 + i] = r;
    asm volatile("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[8192 + i] = r;
    asm volatile("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[12288 + i] = r;
    asm volatile("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[16384 + i] = r;
    asm volatile("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[20480 + i] = r;
}
