// u64 to double
// expect: clean
// compare: exact
// buffer a: u64 512 bits const
// buffer o: f64 512 uninitialized
// segment 0: cvt.rn.f64.u64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const unsigned long long* a, double* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r;
    asm volatile("cvt.rn.f64.u64 %0, %1;" : "=d"(r) : "l"(a[i]));
    o[0 + i] = r;
}
