// expect: clean
// compare: relative 1e-5
// buffer a: u32 128 halves const
// buffer b: u32 64 halves const
// buffer o: f32 128 uninitialized
//! launch k<<<1, 32>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, float* o) {
    int t = threadIdx.x;
    float d[4];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[4 * t] & 0x3fff3fff), "r"(a[4 * t + 1] & 0x3fff3fff), "r"(a[4 * t + 2] & 0x3fff3fff), "r"(a[4 * t + 3] & 0x3fff3fff), "r"(b[2 * t] & 0x3fff3fff), "r"(b[2 * t + 1] & 0x3fff3fff), "f"(1.0f));
    for (int i = 0; i < 4; i++) o[4 * t + i] = d[i];
}
