// comparisons of u64
// expect: clean
// compare: exact
// buffer a: u64 512 near const
// buffer b: u64 512 near const
// buffer o: u32 5120 uninitialized
// segment 0: setp.eq.u64
// segment 512: setp.ne.u64
// segment 1024: setp.lt.u64
// segment 1536: setp.le.u64
// segment 2048: setp.gt.u64
// segment 2560: setp.ge.u64
// segment 3072: setp.lo.u64
// segment 3584: setp.ls.u64
// segment 4096: setp.hi.u64
// segment 4608: setp.hs.u64
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned long long* a, const unsigned long long* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[2560 + i] = r;
    asm volatile("{ .reg .pred p; setp.lo.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[3072 + i] = r;
    asm volatile("{ .reg .pred p; setp.ls.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[3584 + i] = r;
    asm volatile("{ .reg .pred p; setp.hi.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[4096 + i] = r;
    asm volatile("{ .reg .pred p; setp.hs.u64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(a[i]), "l"(b[i]));
    o[4608 + i] = r;
}
