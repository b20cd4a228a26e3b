// float to double
// expect: clean
// compare: exact
// buffer a: f32 512 special const
// buffer o: f64 512 uninitialized
// segment 0: cvt.f64.f32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const float* a, double* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r;
    asm volatile("cvt.f64.f32 %0, %1;" : "=d"(r) : "f"(a[i]));
    o[0 + i] = r;
}
