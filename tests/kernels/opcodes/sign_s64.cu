// neg, abs of s64
// expect: clean
// compare: exact
// buffer a: i64 512 bits const
// buffer o: i64 1024 uninitialized
// segment 0: neg.s64
// segment 512: abs.s64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const long long* a, long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long r;
    asm volatile("neg.s64 %0, %1;" : "=l"(r) : "l"(a[i]));
    o[0 + i] = r;
    asm volatile("abs.s64 %0, %1;" : "=l"(r) : "l"(a[i]));
    o[512 + i] = r;
}
