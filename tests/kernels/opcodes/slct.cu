// slct and selp
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer c: i32 512 near const
// buffer o: u32 512 uninitialized
// segment 0: slct.u32.s32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const int* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
}
