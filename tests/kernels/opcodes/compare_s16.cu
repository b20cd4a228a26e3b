// comparisons of s16
// expect: clean
// compare: exact
// buffer a: i16 512 near const
// buffer b: i16 512 near const
// buffer o: u32 3072 uninitialized
// segment 0: setp.eq.s16
// segment 512: setp.ne.s16
// segment 1024: setp.lt.s16
// segment 1536: setp.le.s16
// segment 2048: setp.gt.s16
// segment 2560: setp.ge.s16
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const short* a, const short* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; setp.eq.s16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; setp.ne.s16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; setp.lt.s16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; setp.le.s16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; setp.gt.s16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; setp.ge.s16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[2560 + i] = r;
}
