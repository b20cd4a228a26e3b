// unary functions of f32
// expect: clean
// compare: exact
// buffer a: f32 512 special const
// buffer o: f32 2048 uninitialized
// segment 0: neg.f32
// segment 512: abs.f32
// segment 1024: sqrt.rn.f32
// segment 1536: rcp.rn.f32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const float* a, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("neg.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[0 + i] = r;
    asm volatile("abs.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[512 + i] = r;
    asm volatile("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[1024 + i] = r;
    asm volatile("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(a[i]));
    o[1536 + i] = r;
}
