// three-way logic
// expect: clean
// compare: exact
// buffer a: u32 512 bits const
// buffer b: u32 512 bits const
// buffer c: u32 512 bits const
// buffer o: u32 3072 uninitialized
// segment 0: lop3.b32
// segment 512: lop3.b32
// segment 1024: lop3.b32
// segment 1536: lop3.b32
// segment 2048: lop3.b32
// segment 2560: lop3.b32
//! launch k<<<2, 256>>>(a, b, c, o)
extern "C" __global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[0 + i] = r;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xfe;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[512 + i] = r;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1024 + i] = r;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[1536 + i] = r;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2048 + i] = r;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x1d;" : "=r"(r) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    o[2560 + i] = r;
}
