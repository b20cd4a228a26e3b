// integers narrowed, with and without saturation
// expect: clean
// compare: exact
// buffer a: i32 512 bits const
// buffer o: i32 2048 uninitialized
// segment 0: cvt.s8.s32
// segment 512: cvt.sat.s16.s32
// segment 1024: cvt.sat.u16.s32
// segment 1536: cvt.sat.u32.s32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const int* a, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    asm volatile("{ .reg .s16 u; cvt.s8.s32 u, %1; cvt.s32.s16 %0, u; }" : "=r"(r) : "r"(a[i]));
    o[0 + i] = r;
    asm volatile("{ .reg .s16 u; cvt.sat.s16.s32 u, %1; cvt.s32.s16 %0, u; }" : "=r"(r) : "r"(a[i]));
    o[512 + i] = r;
    asm volatile("{ .reg .u16 u; cvt.sat.u16.s32 u, %1; cvt.u32.u16 %0, u; }" : "=r"(r) : "r"(a[i]));
    o[1024 + i] = r;
    asm volatile("cvt.sat.u32.s32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[1536 + i] = r;
}
