// unary functions of f64
// expect: clean
// compare: exact
// buffer a: f64 512 special const
// buffer o: f64 2048 uninitialized
// segment 0: neg.f64
// segment 512: abs.f64
// segment 1024: sqrt.rn.f64
// segment 1536: rcp.rn.f64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const double* a, double* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r;
    asm volatile("neg.f64 %0, %1;" : "=d"(r) : "d"(a[i]));
    o[0 + i] = r;
    asm volatile("abs.f64 %0, %1;" : "=d"(r) : "d"(a[i]));
    o[512 + i] = r;
    asm volatile("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a[i]));
    o[1024 + i] = r;
    asm volatile("rcp.rn.f64 %0, %1;" : "=d"(r) : "d"(a[i]));
    o[1536 + i] = r;
}
