// comparisons of halves
// expect: clean
// compare: exact
// buffer a: f16 512 special16 const
// buffer b: f16 512 special16 const
// buffer o: u32 4096 uninitialized
// segment 0: setp.eq.f16
// segment 512: setp.ne.f16
// segment 1024: setp.lt.f16
// segment 1536: setp.le.f16
// segment 2048: setp.gt.f16
// segment 2560: setp.ge.f16
// segment 3072: setp.ltu.f16
// segment 3584: setp.nan.f16
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned short* a, const unsigned short* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[2560 + i] = r;
    asm volatile("{ .reg .pred p; setp.ltu.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[3072 + i] = r;
    asm volatile("{ .reg .pred p; setp.nan.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[3584 + i] = r;
}
