// basic arithmetic of f64
// expect: clean
// compare: exact
// buffer a: f64 512 special const
// buffer b: f64 512 special const
// buffer c: f64 512 special const
// buffer o: f64 4096 uninitialized
// segment 0: add.rn.f64
// segment 512: sub.rn.f64
// segment 1024: mul.rn.f64
// segment 1536: fma.rn.f64
// segment 2048: div.rn.f64
// segment 2560: min.f64
// segment 3072: max.f64
// segment 3584: copysign.f64
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const double* a, const double* b, const double* c, double* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r;
    asm volatile("add.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[0 + i] = r;
    asm volatile("sub.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[512 + i] = r;
    asm volatile("mul.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[1024 + i] = r;
    asm volatile("fma.rn.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[1536 + i] = r;
    asm volatile("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[2048 + i] = r;
    asm volatile("min.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[2560 + i] = r;
    asm volatile("max.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[3072 + i] = r;
    asm volatile("copysign.f64 %0, %1, %2;" : "=d"(r) : "d"(a[i]), "d"(b[i]), "d"(c[i]));
    o[3584 + i] = r;
}
