// division and remainder of s32, never by zero
// expect: clean
// compare: exact
// buffer a: i32 512 bits const
// buffer b: i32 512 nonzero const
// buffer o: i32 1024 uninitialized
// segment 0: div.s32
// segment 512: rem.s32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const int* a, const int* b, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    asm volatile("div.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("rem.s32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
}
