// expect: clean
// compare: exact
// buffer a: u32 128 bits const
// buffer b: u32 64 bits const
// buffer o: i32 384 uninitialized
//! launch k<<<1, 32>>>(a, b, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, int* o) {
    int t = threadIdx.x, d[4];
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(a[4 * t]), "r"(a[4 * t + 1]), "r"(a[4 * t + 2]), "r"(a[4 * t + 3]), "r"(b[2 * t]), "r"(b[2 * t + 1]), "r"(5));
    for (int i = 0; i < 4; i++) o[4 * t + i] = d[i];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(a[t]), "r"(a[t + 32]), "r"(b[t]), "r"(0));
    for (int i = 0; i < 4; i++) o[128 + 4 * t + i] = d[i];
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%4,%4};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(a[t]), "r"(b[t]), "r"(-3));
    for (int i = 0; i < 2; i++) o[256 + 2 * t + i] = d[i];
    o[320 + t] = o[352 + t] = 0;
}
