// mad.hi and sad of s32
// expect: clean
// compare: exact
// buffer a: i32 512 bits const
// buffer b: i32 512 bits const
// buffer c: i32 512 bits const
// buffer o: i32 2560 uninitialized
// segment 0: mad.hi.s32
// segment 512: sad.s32
// segment 1024: mul24.lo.s32
// segment 1536: mul24.hi.s32
// segment 2048: mad24.lo.s32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const int* a, const int* b, const int* c, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    asm volatile("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul24.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
}
