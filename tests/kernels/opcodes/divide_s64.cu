// division and remainder of s64, never by zero
// expect: clean
// compare: exact
// buffer a: i64 512 bits const
// buffer b: i64 512 nonzero const
// buffer o: i64 1024 uninitialized
// segment 0: div.s64
// segment 512: rem.s64
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const long long* a, const long long* b, long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long r;
    asm volatile("div.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[0 + i] = r;
    asm volatile("rem.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[512 + i] = r;
}
