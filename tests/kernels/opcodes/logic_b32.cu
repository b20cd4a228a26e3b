// logic on b32
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer o: u32 2560 uninitialized
// segment 0: and.b32
// segment 512: or.b32
// segment 1024: xor.b32
// segment 1536: not.b32
// segment 2048: cnot.b32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("and.b32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("or.b32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
    asm volatile("xor.b32 %0, %1, %2;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1024 + i] = r;
    asm volatile("not.b32 %0, %1;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[1536 + i] = r;
    asm volatile("cnot.b32 %0, %1;" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    o[2048 + i] = r;
}
