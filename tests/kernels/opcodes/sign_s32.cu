// neg, abs of s32
// expect: clean
// compare: exact
// buffer a: i32 512 bits const
// buffer o: i32 1024 uninitialized
// segment 0: neg.s32
// segment 512: abs.s32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const int* a, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    asm volatile("neg.s32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[0 + i] = r;
    asm volatile("abs.s32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[512 + i] = r;
}
