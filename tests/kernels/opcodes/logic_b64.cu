// logic on b64
// expect: clean
// compare: exact
// buffer a: u64 512 bits const
// buffer b: u64 512 bits const
// buffer o: u64 2560 uninitialized
// segment 0: and.b64
// segment 512: or.b64
// segment 1024: xor.b64
// segment 1536: not.b64
// segment 2048: cnot.b64
//! launch k<<<2, 256>>>(a, b, o)
extern "C" __global__ void k(const unsigned long long* a, const unsigned long long* b, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("and.b64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[0 + i] = r;
    asm volatile("or.b64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[512 + i] = r;
    asm volatile("xor.b64 %0, %1, %2;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[1024 + i] = r;
    asm volatile("not.b64 %0, %1;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[1536 + i] = r;
    asm volatile("cnot.b64 %0, %1;" : "=l"(r) : "l"(a[i]), "l"(b[i]));
    o[2048 + i] = r;
}
