// brev of 64 bits
// expect: clean
// compare: exact
// buffer a: u64 512 bits const
// buffer o: u64 512 uninitialized
// segment 0: brev.b64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const unsigned long long* a, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("brev.b64 %0, %1;" : "=l"(r) : "l"(a[i]));
    o[0 + i] = r;
}
