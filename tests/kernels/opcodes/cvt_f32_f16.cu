// half to float
// expect: clean
// compare: exact
// buffer a: f16 512 special16 const
// buffer o: f32 512 uninitialized
// segment 0: cvt.f32.f16
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const unsigned short* a, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(a[i]));
    o[0 + i] = r;
}
