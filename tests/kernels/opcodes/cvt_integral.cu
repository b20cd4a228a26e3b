// rounding to whole floats
// expect: clean
// compare: exact
// buffer a: f32 512 convertible const
// buffer o: f32 2560 uninitialized
// segment 0: cvt.rni.f32.f32
// segment 512: cvt.rzi.f32.f32
// segment 1024: cvt.rmi.f32.f32
// segment 1536: cvt.rpi.f32.f32
// segment 2048: cvt.sat.f32.f32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const float* a, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("cvt.rni.f32.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[0 + i] = r;
    asm volatile("cvt.rzi.f32.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[512 + i] = r;
    asm volatile("cvt.rmi.f32.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[1024 + i] = r;
    asm volatile("cvt.rpi.f32.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[1536 + i] = r;
    asm volatile("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[2048 + i] = r;
}
