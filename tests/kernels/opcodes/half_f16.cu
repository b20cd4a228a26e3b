// arithmetic of f16
// expect: clean
// compare: exact
// buffer a: f16 1024 special16 const
// buffer b: f16 1024 special16 const
// buffer c: f16 1024 special16 const
// buffer o: f16 9216 uninitialized
// segment 0: add.rn.f16
// segment 1024: sub.rn.f16
// segment 2048: mul.rn.f16
// segment 3072: fma.rn.f16
// segment 4096: fma.rn.relu.f16
// segment 5120: min.f16
// segment 6144: max.f16
// segment 7168: neg.f16
// segment 8192: abs.f16
//! launch k<<<4, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned short* a, const unsigned short* b, const unsigned short* c, unsigned short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short r;
    asm volatile("add.rn.f16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.rn.f16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.rn.f16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[2048 + i] = r;
    asm volatile("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[3072 + i] = r;
    asm volatile("fma.rn.relu.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[4096 + i] = r;
    asm volatile("min.f16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[5120 + i] = r;
    asm volatile("max.f16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[6144 + i] = r;
    asm volatile("neg.f16 %0, %1;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[7168 + i] = r;
    asm volatile("abs.f16 %0, %1;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[8192 + i] = r;
}
