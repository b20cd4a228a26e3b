// comparisons of s32
// expect: clean
// compare: exact
// buffer a: i32 512 near const
// buffer b: i32 512 near const
// buffer o: u32 3072 uninitialized
// segment 0: setp.eq.s32
// segment 512: setp.ne.s32
// segment 1024: setp.lt.s32
// segment 1536: setp.le.s32
// segment 2048: setp.gt.s32
// segment 2560: setp.ge.s32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const int* a, const int* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.s32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[2560 + i] = r;
}
