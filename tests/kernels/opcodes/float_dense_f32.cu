// arithmetic of close f32
// expect: clean
// compare: exact
// buffer a: f32 4096 uniform const
// buffer b: f32 4096 uniform const
// buffer c: f32 4096 uniform const
// buffer o: f32 16384 uninitialized
// segment 0: add.rn.f32
// segment 4096: mul.rn.f32
// segment 8192: fma.rn.f32
// segment 12288: div.rn.f32
//! launch k<<<16, 256>>>(a, b, c, o)
extern "C" __global__ void k(const float* a, const float* b, const float* c, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[0 + i] = r;
    asm volatile("mul.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[4096 + i] = r;
    asm volatile("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[8192 + i] = r;
    asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[12288 + i] = r;
}
