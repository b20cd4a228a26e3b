// arithmetic of f16x2
// expect: clean
// compare: exact
// buffer a: u32 1024 halves const
// buffer b: u32 1024 halves const
// buffer c: u32 1024 halves const
// buffer o: u32 9216 uninitialized
// segment 0: add.rn.f16x2
// segment 1024: sub.rn.f16x2
// segment 2048: mul.rn.f16x2
// segment 3072: fma.rn.f16x2
// segment 4096: fma.rn.relu.f16x2
// segment 5120: min.f16x2
// segment 6144: max.f16x2
// segment 7168: neg.f16x2
// segment 8192: abs.f16x2
//! launch k<<<4, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("add.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
    asm volatile("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[3072 + i] = r;
    asm volatile("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[4096 + i] = r;
    asm volatile("min.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[5120 + i] = r;
    asm volatile("max.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[6144 + i] = r;
    asm volatile("neg.f16x2 %0, %1;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[7168 + i] = r;
    asm volatile("abs.f16x2 %0, %1;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[8192 + i] = r;
}
