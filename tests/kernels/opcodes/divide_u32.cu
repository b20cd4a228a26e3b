// division and remainder of u32, never by zero
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 nonzero const
// buffer o: u32 1024 uninitialized
// segment 0: div.u32
// segment 512: rem.u32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("div.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("rem.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
}
