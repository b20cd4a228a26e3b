// bfe, bfi of 64 bits
// expect: clean
// compare: exact
// buffer a: u64 512 bits const
// buffer b: u32 512 integers 0 70 const
// buffer c: u32 512 integers 0 70 const
// buffer o: u64 1536 uninitialized
// segment 0: bfe.u64
// segment 512: bfe.s64
// segment 1024: bfi.b64
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned long long* a, const unsigned* b, const unsigned* c, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("bfe.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("bfi.b64 %0, %1, %1, %2, %3;" : "=l"(r) : "l"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
}
