// f64 rounded by rm
// expect: clean
// compare: exact
// buffer a: f64 512 positive const
// buffer b: f64 512 uniform const
// buffer c: f64 512 uniform const
// buffer o: f64 3584 uninitialized
// segment 0: add.rm.f64
// segment 512: sub.rm.f64
// segment 1024: mul.rm.f64
// segment 1536: fma.rm.f64
// segment 2048: div.rm.f64
// segment 2560: sqrt.rm.f64
// segment 3072: rcp.rm.f64
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const double* a, const double* b, const double* c, double* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r;
    asm volatile("add.rm.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.rm.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.rm.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[1024 + i] = r;
    asm volatile("fma.rm.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[1536 + i] = r;
    asm volatile("div.rm.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[2048 + i] = r;
    asm volatile("sqrt.rm.f64 %0, %1;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[2560 + i] = r;
    asm volatile("rcp.rm.f64 %0, %1;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[3072 + i] = r;
}
