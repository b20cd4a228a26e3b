// integer arithmetic on u16
// expect: clean
// compare: exact
// buffer a: u16 512 bits const
// buffer b: u16 512 bits const
// buffer c: u16 512 bits const
// buffer o: u16 3584 uninitialized
// segment 0: add.u16
// segment 512: sub.u16
// segment 1024: mul.lo.u16
// segment 1536: mul.hi.u16
// segment 2048: mad.lo.u16
// segment 2560: min.u16
// segment 3072: max.u16
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned short* a, const unsigned short* b, const unsigned short* c, unsigned short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short r;
    asm volatile("add.u16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.u16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.lo.u16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.hi.u16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad.lo.u16 %0, %1, %2, %3;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.u16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.u16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[3072 + i] = r;
}
