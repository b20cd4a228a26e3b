// properties of floats
// expect: clean
// compare: exact
// buffer a: f32 512 special const
// buffer o: u32 3072 uninitialized
// segment 0: testp.finite.f32
// segment 512: testp.infinite.f32
// segment 1024: testp.number.f32
// segment 1536: testp.notanumber.f32
// segment 2048: testp.normal.f32
// segment 2560: testp.subnormal.f32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const float* a, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("{ .reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .pred p; testp.number.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]));
    o[1024 + i] = r;
    asm volatile("{ .reg .pred p; testp.notanumber.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]));
    o[1536 + i] = r;
    asm volatile("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]));
    o[2048 + i] = r;
    asm volatile("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a[i]));
    o[2560 + i] = r;
}
