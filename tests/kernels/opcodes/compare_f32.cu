// comparisons of f32, with NaN
// expect: clean
// compare: exact
// buffer a: f32 512 special const
// buffer b: f32 512 special const
// buffer o: u32 7168 uninitialized
// segment 0: setp.eq.f32
// segment 512: setp.ne.f32
// segment 1024: setp.lt.f32
// segment 1536: setp.le.f32
// segment 2048: setp.gt.f32
// segment 2560: setp.ge.f32
// segment 3072: setp.equ.f32
// segment 3584: setp.neu.f32
// segment 4096: setp.ltu.f32
// segment 4608: setp.leu.f32
// segment 5120: setp.gtu.f32
// segment 5632: setp.geu.f32
// segment 6144: setp.num.f32
// segment 6656: setp.nan.f32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const float* a, const float* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[2560 + i] = r;
    asm volatile("{ .reg .pred p; setp.equ.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[3072 + i] = r;
    asm volatile("{ .reg .pred p; setp.neu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[3584 + i] = r;
    asm volatile("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[4096 + i] = r;
    asm volatile("{ .reg .pred p; setp.leu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[4608 + i] = r;
    asm volatile("{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[5120 + i] = r;
    asm volatile("{ .reg .pred p; setp.geu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[5632 + i] = r;
    asm volatile("{ .reg .pred p; setp.num.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[6144 + i] = r;
    asm volatile("{ .reg .pred p; setp.nan.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[6656 + i] = r;
}
