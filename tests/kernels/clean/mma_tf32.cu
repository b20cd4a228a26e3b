// expect: clean
// compare: absolute 1e-5
// buffer a: f32 128 uniform const
// buffer b: f32 64 uniform const
// buffer o: f32 128 uninitialized
//! launch k<<<1, 32>>>(a, b, o)
extern "C" __global__ void k(const float* a, const float* b, float* o) {
    int t = threadIdx.x;
    float d[4];
    unsigned x[4], y[2];
    for (int i = 0; i < 4; i++) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x[i]) : "f"(a[4 * t + i]));
    for (int i = 0; i < 2; i++) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y[i]) : "f"(b[2 * t + i]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(1.0f));
    for (int i = 0; i < 4; i++) o[4 * t + i] = d[i];
}
