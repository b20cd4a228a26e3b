// division and remainder of u64, never by zero
// expect: clean
// compare: exact
// buffer a: u64 512 bits const
// buffer b: u64 512 nonzero const
// buffer o: u64 1024 uninitialized
// segment 0: div.u64
// segment 512: rem.u64
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned long long* a, const unsigned long long* b, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("div.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[0 + i] = r;
    asm volatile("rem.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[512 + i] = r;
}
