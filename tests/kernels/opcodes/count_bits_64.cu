// popc, clz, bfind of 64 bits
// expect: clean
// compare: exact
// buffer a: u64 512 sparse const
// buffer o: u32 2560 uninitialized
// segment 0: popc.b64
// segment 512: clz.b64
// segment 1024: bfind.u64
// segment 1536: bfind.s64
// segment 2048: bfind.shiftamt.u64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const unsigned long long* a, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("popc.b64 %0, %1;" : "=r"(r) : "l"(a[i]));
    o[0 + i] = r;
    asm volatile("clz.b64 %0, %1;" : "=r"(r) : "l"(a[i]));
    o[512 + i] = r;
    asm volatile("bfind.u64 %0, %1;" : "=r"(r) : "l"(a[i]));
    o[1024 + i] = r;
    asm volatile("bfind.s64 %0, %1;" : "=r"(r) : "l"(a[i]));
    o[1536 + i] = r;
    asm volatile("bfind.shiftamt.u64 %0, %1;" : "=r"(r) : "l"(a[i]));
    o[2048 + i] = r;
}
