// byte permutations
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer c: u32 512 bits const
// buffer o: u32 3584 uninitialized
// segment 0: prmt.b32
// segment 512: prmt.b32.f4e
// segment 1024: prmt.b32.b4e
// segment 1536: prmt.b32.rc8
// segment 2048: prmt.b32.ecl
// segment 2560: prmt.b32.ecr
// segment 3072: prmt.b32.rc16
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
    asm volatile("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
    asm volatile("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2560 + i] = r;
    asm volatile("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[3072 + i] = r;
}
