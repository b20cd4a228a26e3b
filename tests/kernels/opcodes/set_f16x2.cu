// set of pairs
// expect: clean
// compare: exact
// buffer a: u32 512 halves const
// buffer b: u32 512 halves const
// buffer o: u32 1024 uninitialized
// segment 0: set.lt.f16x2.f16x2
// segment 512: set.ge.u32.f16x2
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("set.lt.f16x2.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("set.ge.u32.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
}
