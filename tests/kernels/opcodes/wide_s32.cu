// widening products of s32
// expect: clean
// compare: exact
// buffer a: i32 512 bits const
// buffer b: i32 512 bits const
// buffer o: i64 1024 uninitialized
// segment 0: mul.wide.s32
// segment 512: mad.wide.s32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const int* a, const int* b, long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long r;
    asm volatile("mul.wide.s32 %0, %1, %2;" : "=l"(r) : "r"(a[i]), "r"(b[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .s64 t; cvt.s64.s32 t, %1; mad.wide.s32 %0, %1, %2, t; }" : "=l"(r) : "r"(a[i]), "r"(b[i]));
    o[512 + i] = r;
}
