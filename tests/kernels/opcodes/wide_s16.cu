// widening products of signed 16 bits
// expect: clean
// compare: exact
// buffer a: i16 512 bits const
// buffer b: i16 512 bits const
// buffer o: i32 512 uninitialized
// segment 0: mul.wide.s16
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const short* a, const short* b, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    asm volatile("mul.wide.s16 %0, %1, %2;" : "=r"(r) : "h"(a[i]), "h"(b[i]));
    o[0 + i] = r;
}
