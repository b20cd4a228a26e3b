// comparisons of s64
// expect: clean
// compare: exact
// buffer a: i64 512 near const
// buffer b: i64 512 near const
// buffer o: u32 3072 uninitialized
// segment 0: setp.eq.s64
// segment 512: setp.ne.s64
// segment 1024: setp.lt.s64
// segment 1536: setp.le.s64
// segment 2048: setp.gt.s64
// segment 2560: setp.ge.s64
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const long long* a, const long long* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.s64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.s64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.s64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.s64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.s64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.s64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[2560 + i] = r;
}
