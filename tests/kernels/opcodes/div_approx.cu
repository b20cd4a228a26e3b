// approximate division
// expect: clean
// compare: ulp 4
// buffer a: f32 4096 uniform const
// buffer b: f32 4096 positive const
// buffer o: f32 8192 uninitialized
// segment 0: div.approx.f32
// segment 4096: div.full.f32
//! launch k<<<16, 256>>>(a, b, o)
extern "C" __global__ void k(const float* a, const float* b, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]));
    o[0 + i] = r;
    asm volatile("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]));
    o[4096 + i] = r;
}
