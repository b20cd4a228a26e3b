// arithmetic of close f64
// expect: clean
// compare: exact
// buffer a: f64 4096 uniform const
// buffer b: f64 4096 uniform const
// buffer c: f64 4096 uniform const
// buffer o: f64 16384 uninitialized
// segment 0: add.rn.f64
// segment 4096: mul.rn.f64
// segment 8192: fma.rn.f64
// segment 12288: div.rn.f64
//! launch k<<<16, 256>>>(a, b, c, o)
extern "C" __global__ void k(const double* a, const double* b, const double* c, double* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r;
    asm volatile("add.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[0 + i] = r;
    asm volatile("mul.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[4096 + i] = r;
    asm volatile("fma.rn.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[8192 + i] = r;
    asm volatile("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[12288 + i] = r;
}
