// find the n-th set bit
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 integers 0 32 const
// buffer o: u32 1536 uninitialized
// segment 0: fns.b32
// segment 512: fns.b32
// segment 1024: fns.b32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("fns.b32 %0, %1, %2, 0;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("fns.b32 %0, %1, %2, 3;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
    asm volatile("fns.b32 %0, %1, %2, -2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1024 + i] = r;
}
