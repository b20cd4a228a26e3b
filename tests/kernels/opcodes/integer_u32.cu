// integer arithmetic on u32
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer c: u32 512 bits const
// buffer o: u32 3584 uninitialized
// segment 0: add.u32
// segment 512: sub.u32
// segment 1024: mul.lo.u32
// segment 1536: mul.hi.u32
// segment 2048: mad.lo.u32
// segment 2560: min.u32
// segment 3072: max.u32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[3072 + i] = r;
}
