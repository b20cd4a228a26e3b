// comparisons of f64, with NaN
// expect: clean
// compare: exact
// buffer a: f64 512 special const
// buffer b: f64 512 special const
// buffer o: u32 7168 uninitialized
// segment 0: setp.eq.f64
// segment 512: setp.ne.f64
// segment 1024: setp.lt.f64
// segment 1536: setp.le.f64
// segment 2048: setp.gt.f64
// segment 2560: setp.ge.f64
// segment 3072: setp.equ.f64
// segment 3584: setp.neu.f64
// segment 4096: setp.ltu.f64
// segment 4608: setp.leu.f64
// segment 5120: setp.gtu.f64
// segment 5632: setp.geu.f64
// segment 6144: setp.num.f64
// segment 6656: setp.nan.f64
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const double* a, const double* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[2560 + i] = r;
    asm volatile("{ .reg .pred p; setp.equ.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[3072 + i] = r;
    asm volatile("{ .reg .pred p; setp.neu.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[3584 + i] = r;
    asm volatile("{ .reg .pred p; setp.ltu.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[4096 + i] = r;
    asm volatile("{ .reg .pred p; setp.leu.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[4608 + i] = r;
    asm volatile("{ .reg .pred p; setp.gtu.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[5120 + i] = r;
    asm volatile("{ .reg .pred p; setp.geu.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[5632 + i] = r;
    asm volatile("{ .reg .pred p; setp.num.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[6144 + i] = r;
    asm volatile("{ .reg .pred p; setp.nan.f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(a[i]), "d"(b[i]));
    o[6656 + i] = r;
}
