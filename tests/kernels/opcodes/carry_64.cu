// carry chains of 64 bits
// expect: clean
// compare: exact
// buffer a: u64 512 bits const
// buffer b: u64 512 bits const
// buffer c: u64 512 bits const
// buffer o: u64 1024 uninitialized
// segment 0: add.cc.u64
// segment 512: sub.cc.u64
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned long long* a, const unsigned long long* b, const unsigned long long* c, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("{ .reg .u64 t; add.cc.u64 t, %1, %2; addc.u64 %0, %3, 7; }" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .u64 t; sub.cc.u64 t, %1, %2; subc.u64 %0, %3, 5; }" : "=l"(r) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
    o[512 + i] = r;
}
