// widening products of 16 bits
// expect: clean
// compare: exact
// buffer a: u16 512 bits const
// buffer b: u16 512 bits const
// buffer o: u32 512 uninitialized
// segment 0: mul.wide.u16
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned short* a, const unsigned short* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("mul.wide.u16 %0, %1, %2;" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[0 + i] = r;
}
