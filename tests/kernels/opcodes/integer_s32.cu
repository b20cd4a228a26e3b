// integer arithmetic on s32
// expect: clean
// compare: exact
// buffer a: i32 512 bits const
// buffer b: i32 512 bits const
// buffer c: i32 512 bits const
// buffer o: i32 3584 uninitialized
// segment 0: add.s32
// segment 512: sub.s32
// segment 1024: mul.lo.s32
// segment 1536: mul.hi.s32
// segment 2048: mad.lo.s32
// segment 2560: min.s32
// segment 3072: max.s32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const int* a, const int* b, const int* c, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    asm volatile("add.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[3072 + i] = r;
}
