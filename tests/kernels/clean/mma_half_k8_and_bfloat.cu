// expect: clean
// compare: relative 1e-5
// buffer a: u32 128 bits const
// buffer b: u32 64 bits const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 32>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, float* o) {
    int t = threadIdx.x;
    float d[4];
    unsigned m = 0x3fff3fff;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(a[t] & m), "r"(a[t + 32] & m), "r"(b[t] & m), "f"(0.25f));
    for (int i = 0; i < 4; i++) o[4 * t + i] = d[i];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[4 * t] & m), "r"(a[4 * t + 1] & m), "r"(a[4 * t + 2] & m), "r"(a[4 * t + 3] & m), "r"(b[2 * t] & m), "r"(b[2 * t + 1] & m), "f"(1.0f));
    for (int i = 0; i < 4; i++) o[128 + 4 * t + i] = d[i];
}
