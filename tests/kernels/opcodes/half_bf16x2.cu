// arithmetic of bf16x2
// expect: clean
// compare: exact
// buffer a: u32 1024 bhalves const
// buffer b: u32 1024 bhalves const
// buffer c: u32 1024 bhalves const
// buffer o: u32 6144 uninitialized
// segment 0: fma.rn.bf16x2
// segment 1024: fma.rn.relu.bf16x2
// segment 2048: min.bf16x2
// segment 3072: max.bf16x2
// segment 4096: neg.bf16x2
// segment 5120: abs.bf16x2
//! launch k<<<4, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("fma.rn.relu.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("min.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
    asm volatile("max.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[3072 + i] = r;
    asm volatile("neg.bf16x2 %0, %1;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[4096 + i] = r;
    asm volatile("abs.bf16x2 %0, %1;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[5120 + i] = r;
}
