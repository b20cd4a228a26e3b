// approximate functions of halves
// expect: clean
// compare: ulp16 2
// buffer a: f16 512 small16 const
// buffer o: f16 1024 uninitialized
// segment 0: tanh.approx.f16
// segment 512: ex2.approx.f16
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const unsigned short* a, unsigned short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short r;
    asm volatile("tanh.approx.f16 %0, %1;" : "=h"(r) : "h"(a[i]));
    o[0 + i] = r;
    asm volatile("ex2.approx.f16 %0, %1;" : "=h"(r) : "h"(a[i]));
    o[512 + i] = r;
}
