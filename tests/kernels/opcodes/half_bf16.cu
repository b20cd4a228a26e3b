// arithmetic of bf16
// expect: clean
// compare: exact
// buffer a: bf16 1024 special16 const
// buffer b: bf16 1024 special16 const
// buffer c: bf16 1024 special16 const
// buffer o: bf16 6144 uninitialized
// segment 0: fma.rn.bf16
// segment 1024: fma.rn.relu.bf16
// segment 2048: min.bf16
// segment 3072: max.bf16
// segment 4096: neg.bf16
// segment 5120: abs.bf16
//! launch k<<<4, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned short* a, const unsigned short* b, const unsigned short* c, unsigned short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short r;
    asm volatile("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[0 + i] = r;
    asm volatile("fma.rn.relu.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[1024 + i] = r;
    asm volatile("min.bf16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[2048 + i] = r;
    asm volatile("max.bf16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[3072 + i] = r;
    asm volatile("neg.bf16 %0, %1;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[4096 + i] = r;
    asm volatile("abs.bf16 %0, %1;" : "=h"(r) : "h"(a[i]), "h"(b[i]), "h"(c[i]));
    o[5120 + i] = r;
}
