// expect: clean
// compare: absolute 1e-14
// buffer a: f64 32 uniform const
// buffer b: f64 32 uniform const
// buffer o: f64 64 uninitialized
//! launch k<<<1, 32>>>(a, b, o)
extern "C" __global__ void k(const double* a, const double* b, double* o) {
    int t = threadIdx.x;
    double d[2];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%4};" : "=d"(d[0]), "=d"(d[1]) : "d"(a[t]), "d"(b[t]), "d"(0.5));
    o[2 * t] = d[0];
    o[2 * t + 1] = d[1];
}
