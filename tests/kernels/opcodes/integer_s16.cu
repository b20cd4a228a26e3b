// integer arithmetic on s16
// expect: clean
// compare: exact
// buffer a: i16 512 bits const
// buffer b: i16 512 bits const
// buffer c: i16 512 bits const
// buffer o: i16 3584 uninitialized
// segment 0: add.s16
// segment 512: sub.s16
// segment 1024: mul.lo.s16
// segment 1536: mul.hi.s16
// segment 2048: mad.lo.s16
// segment 2560: min.s16
// segment 3072: max.s16
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const short* a, const short* b, const short* c, short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    short r;
    asm volatile("add.s16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.s16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.lo.s16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.hi.s16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad.lo.s16 %0, %1, %2, %3;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.s16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.s16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[3072 + i] = r;
}
