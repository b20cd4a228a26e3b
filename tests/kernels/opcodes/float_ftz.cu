// flushing subnormals
// expect: clean
// compare: exact
// buffer a: f32 512 special const
// buffer b: f32 512 special const
// buffer c: f32 512 special const
// buffer o: f32 3584 uninitialized
// segment 0: add.ftz.f32
// segment 512: mul.ftz.f32
// segment 1024: fma.rn.ftz.f32
// segment 1536: add.sat.f32
// segment 2048: fma.rn.sat.f32
// segment 2560: min.NaN.f32
// segment 3072: max.NaN.f32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const float* a, const float* b, const float* c, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("add.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[0 + i] = r;
    asm volatile("mul.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[512 + i] = r;
    asm volatile("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[1024 + i] = r;
    asm volatile("add.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[1536 + i] = r;
    asm volatile("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[3072 + i] = r;
}
