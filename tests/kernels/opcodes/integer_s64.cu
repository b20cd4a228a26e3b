// integer arithmetic on s64
// expect: clean
// compare: exact
// buffer a: i64 512 bits const
// buffer b: i64 512 bits const
// buffer c: i64 512 bits const
// buffer o: i64 3584 uninitialized
// segment 0: add.s64
// segment 512: sub.s64
// segment 1024: mul.lo.s64
// segment 1536: mul.hi.s64
// segment 2048: mad.lo.s64
// segment 2560: min.s64
// segment 3072: max.s64
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const long long* a, const long long* b, const long long* c, long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long r;
    asm volatile("add.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.lo.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.hi.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad.lo.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.s64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[3072 + i] = r;
}
