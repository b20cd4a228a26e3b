// shifts of b32, also by too much
// expect: clean
// hints: shift-too-far
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 integers 0 80 const
// buffer o: u32 2560 uninitialized
// segment 0: shl.b32
// segment 512: shr.u32
// segment 1024: shr.s32
// segment 1536: shl.b32
// segment 2048: shr.s32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
    asm volatile("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1024 + i] = r;
    asm volatile("shl.b32 %0, %1, 5;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1536 + i] = r;
    asm volatile("shr.s32 %0, %1, 7;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[2048 + i] = r;
}
