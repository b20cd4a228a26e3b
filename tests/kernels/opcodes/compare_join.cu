// comparisons joined with a predicate
// expect: clean
// compare: exact
// buffer a: i32 512 near const
// buffer b: i32 512 near const
// buffer o: u32 1536 uninitialized
// segment 0: setp.lt.and.s32
// segment 512: setp.lt.or.s32
// segment 1024: setp.lt.s32 p|q
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const int* a, const int* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p, q; setp.gt.s32 q, %2, 0; setp.lt.and.s32 p, %1, %2, q; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p, q; setp.gt.s32 q, %2, 0; setp.lt.or.s32 p, %1, %2, !q; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p, q; setp.lt.s32 p|q, %1, %2; selp.u32 %0, 1, 2, q; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1024 + i] = r;
}
