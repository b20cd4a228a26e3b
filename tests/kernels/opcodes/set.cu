// set
// expect: clean
// compare: exact
// buffer a: i32 512 near const
// buffer b: i32 512 near const
// buffer o: u32 1024 uninitialized
// segment 0: set.lt.u32.s32
// segment 512: set.ge.u32.u32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const int* a, const int* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("set.lt.u32.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("set.ge.u32.u32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
}
