// mad.hi and sad of u32
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer c: u32 512 bits const
// buffer o: u32 2560 uninitialized
// segment 0: mad.hi.u32
// segment 512: sad.u32
// segment 1024: mul24.lo.u32
// segment 1536: mul24.hi.u32
// segment 2048: mad24.lo.u32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul24.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
}
