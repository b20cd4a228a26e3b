// carry chains of 32 bits
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer c: u32 512 bits const
// buffer o: u32 2048 uninitialized
// segment 0: add.cc.u32
// segment 512: sub.cc.u32
// segment 1024: mad.lo.cc.u32
// segment 1536: addc.cc.u32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, 7; }" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, %3, 5; }" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.u32 %0, %1, %2, 0; }" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .u32 t, s; add.cc.u32 t, %1, %2; addc.cc.u32 s, %3, %1; addc.u32 %0, 0, 0; }" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
}
