// bfe, bfi, bmsk, szext
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 integers 0 40 const
// buffer c: u32 512 integers 0 40 const
// buffer o: u32 3584 uninitialized
// segment 0: bfe.u32
// segment 512: bfe.s32
// segment 1024: bfi.b32
// segment 1536: bmsk.clamp.b32
// segment 2048: bmsk.wrap.b32
// segment 2560: szext.clamp.u32
// segment 3072: szext.clamp.s32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("bfi.b32 %0, %1, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("bmsk.clamp.b32 %0, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
    asm volatile("bmsk.wrap.b32 %0, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
    asm volatile("szext.clamp.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2560 + i] = r;
    asm volatile("szext.clamp.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[3072 + i] = r;
}
