// two floats to a pair
// expect: clean
// compare: exact
// buffer a: f32 512 uniform const
// buffer b: f32 512 uniform const
// buffer o: u32 1024 uninitialized
// segment 0: cvt.rn.f16x2.f32
// segment 512: cvt.rn.bf16x2.f32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const float* a, const float* b, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[0 + i] = r;
    asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(a[i]), "f"(b[i]));
    o[512 + i] = r;
}
