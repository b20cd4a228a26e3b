// expect: clean
// compare: exact
// buffer x: u32 256 bits const
// buffer o: u32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const unsigned* x, unsigned* o) {
    unsigned r, lane;
    asm volatile("{ .reg .u32 t; .reg .pred p; setp.gt.u32 p, %1, 1000; mov.u32 t, 7; @p add.u32 t, t, %1; mov.u32 %0, t; }" : "=r"(r) : "r"(x[threadIdx.x]));
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    o[threadIdx.x] = r ^ lane;
}
