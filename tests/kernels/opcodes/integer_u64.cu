// integer arithmetic on u64
// expect: clean
// compare: exact
// buffer a: u64 512 bits const
// buffer b: u64 512 bits const
// buffer c: u64 512 bits const
// buffer o: u64 3584 uninitialized
// segment 0: add.u64
// segment 512: sub.u64
// segment 1024: mul.lo.u64
// segment 1536: mul.hi.u64
// segment 2048: mad.lo.u64
// segment 2560: min.u64
// segment 3072: max.u64
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned long long* a, const unsigned long long* b, const unsigned long long* c, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("add.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.lo.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[1024 + i] = r;
    asm volatile("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[1536 + i] = r;
    asm volatile("mad.lo.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.u64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[3072 + i] = r;
}
