// u32 to float
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer o: f32 2048 uninitialized
// segment 0: cvt.rn.f32.u32
// segment 512: cvt.rz.f32.u32
// segment 1024: cvt.rm.f32.u32
// segment 1536: cvt.rp.f32.u32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const unsigned* a, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("cvt.rn.f32.u32 %0, %1;" : "=f"(r) : "r"(a[i]));
    o[0 + i] = r;
    asm volatile("cvt.rz.f32.u32 %0, %1;" : "=f"(r) : "r"(a[i]));
    o[512 + i] = r;
    asm volatile("cvt.rm.f32.u32 %0, %1;" : "=f"(r) : "r"(a[i]));
    o[1024 + i] = r;
    asm volatile("cvt.rp.f32.u32 %0, %1;" : "=f"(r) : "r"(a[i]));
    o[1536 + i] = r;
}
