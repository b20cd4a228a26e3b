// comparisons of u32
// expect: clean
// compare: exact
// buffer a: u32 512 near const
// buffer b: u32 512 near const
// buffer o: u32 5120 uninitialized
// segment 0: setp.eq.u32
// segment 512: setp.ne.u32
// segment 1024: setp.lt.u32
// segment 1536: setp.le.u32
// segment 2048: setp.gt.u32
// segment 2560: setp.ge.u32
// segment 3072: setp.lo.u32
// segment 3584: setp.ls.u32
// segment 4096: setp.hi.u32
// segment 4608: setp.hs.u32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[2560 + i] = r;
    asm volatile("{ .reg .pred p; setp.lo.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[3072 + i] = r;
    asm volatile("{ .reg .pred p; setp.ls.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[3584 + i] = r;
    asm volatile("{ .reg .pred p; setp.hi.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[4096 + i] = r;
    asm volatile("{ .reg .pred p; setp.hs.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[4608 + i] = r;
}
