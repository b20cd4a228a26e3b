// basic arithmetic of f32
// expect: clean
// compare: exact
// buffer a: f32 512 special const
// buffer b: f32 512 special const
// buffer c: f32 512 special const
// buffer o: f32 4096 uninitialized
// segment 0: add.rn.f32
// segment 512: sub.rn.f32
// segment 1024: mul.rn.f32
// segment 1536: fma.rn.f32
// segment 2048: div.rn.f32
// segment 2560: min.f32
// segment 3072: max.f32
// segment 3584: copysign.f32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const float* a, const float* b, const float* c, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[1024 + i] = r;
    asm volatile("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[1536 + i] = r;
    asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[3072 + i] = r;
    asm volatile("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[3584 + i] = r;
}
