// widening products of u32
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer o: u64 1024 uninitialized
// segment 0: mul.wide.u32
// segment 512: mad.wide.u32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .u64 t; cvt.u64.u32 t, %1; mad.wide.u32 %0, %1, %2, t; }" : "=l"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
}
