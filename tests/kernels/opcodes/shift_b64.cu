// shifts of b64, also by too much
// expect: clean
// hints: shift-too-far
// compare: exact
// buffer a: u64 512 bits const
// buffer b: u32 512 integers 0 80 const
// buffer o: u64 2560 uninitialized
// segment 0: shl.b64
// segment 512: shr.u64
// segment 1024: shr.s64
// segment 1536: shl.b64
// segment 2048: shr.s64
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned long long* a, const unsigned* b, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("shl.b64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("shr.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "r"(b[i]));
    o[512 + i] = r;
    asm volatile("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "r"(b[i]));
    o[1024 + i] = r;
    asm volatile("shl.b64 %0, %1, 5;" : "=l"(r) : "l"(a[i]), "r"(b[i]));
    o[1536 + i] = r;
    asm volatile("shr.s64 %0, %1, 7;" : "=l"(r) : "l"(a[i]), "r"(b[i]));
    o[2048 + i] = r;
}
