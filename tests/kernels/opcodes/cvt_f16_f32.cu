// float to half
// expect: clean
// compare: exact
// buffer a: f32 512 convertible const
// buffer o: f16 1024 uninitialized
// segment 0: cvt.rn.f16.f32
// segment 512: cvt.rz.f16.f32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const float* a, unsigned short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short r;
    asm volatile("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(a[i]));
    o[0 + i] = r;
    asm volatile("cvt.rz.f16.f32 %0, %1;" : "=h"(r) : "f"(a[i]));
    o[512 + i] = r;
}
