// popc, clz, brev, bfind
// expect: clean
// compare: exact
// buffer a: u32 512 sparse const
// buffer o: u32 3584 uninitialized
// segment 0: popc.b32
// segment 512: clz.b32
// segment 1024: brev.b32
// segment 1536: bfind.u32
// segment 2048: bfind.s32
// segment 2560: bfind.shiftamt.u32
// segment 3072: bfind.shiftamt.s32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const unsigned* a, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("popc.b32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[0 + i] = r;
    asm volatile("clz.b32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[512 + i] = r;
    asm volatile("brev.b32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[1024 + i] = r;
    asm volatile("bfind.u32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[1536 + i] = r;
    asm volatile("bfind.s32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[2048 + i] = r;
    asm volatile("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[2560 + i] = r;
    asm volatile("bfind.shiftamt.s32 %0, %1;" : "=r"(r) : "r"(a[i]));
    o[3072 + i] = r;
}
