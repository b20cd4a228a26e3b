// set to float
// expect: clean
// compare: exact
// buffer a: f32 512 special const
// buffer b: f32 512 special const
// buffer o: f32 1024 uninitialized
// segment 0: set.lt.f32.f32
// segment 512: set.neu.f32.f32
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const float* a, const float* b, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm volatile("set.lt.f32.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]));
    o[0 + i] = r;
    asm volatile("set.neu.f32.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]));
    o[512 + i] = r;
}
