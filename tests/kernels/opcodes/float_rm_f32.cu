// f32 rounded by rm
// expect: clean
// compare: exact
// buffer a: f32 512 positive const
// buffer b: f32 512 uniform const
// buffer c: f32 512 uniform const
// buffer o: f32 3584 uninitialized
// segment 0: add.rm.f32
// segment 512: sub.rm.f32
// segment 1024: mul.rm.f32
// segment 1536: fma.rm.f32
// segment 2048: div.rm.f32
// segment 2560: sqrt.rm.f32
// segment 3072: rcp.rm.f32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const float* a, const float* b, const float* c, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("add.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[1024 + i] = r;
    asm volatile("fma.rm.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[1536 + i] = r;
    asm volatile("div.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[2048 + i] = r;
    asm volatile("sqrt.rm.f32 %0, %1;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[2560 + i] = r;
    asm volatile("rcp.rm.f32 %0, %1;" : "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
    o[3072 + i] = r;
}
