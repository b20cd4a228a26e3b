// logic on b16
// expect: clean
// compare: exact
// buffer a: u16 512 bits const
// buffer b: u16 512 bits const
// buffer o: u16 2560 uninitialized
// segment 0: and.b16
// segment 512: or.b16
// segment 1024: xor.b16
// segment 1536: not.b16
// segment 2048: cnot.b16
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned short* a, const unsigned short* b, unsigned short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short r;
    asm volatile("and.b16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]));
    o[0 + i] = r;
    asm volatile("or.b16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]));
    o[512 + i] = r;
    asm volatile("xor.b16 %0, %1, %2;" : "=h"(r) : "h"(a[i]), "h"(b[i]));
    o[1024 + i] = r;
    asm volatile("not.b16 %0, %1;" : "=h"(r) : "h"(a[i]), "h"(b[i]));
    o[1536 + i] = r;
    asm volatile("cnot.b16 %0, %1;" : "=h"(r) : "h"(a[i]), "h"(b[i]));
    o[2048 + i] = r;
}
