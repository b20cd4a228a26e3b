// expect: clean
// compare: exact
// buffer x: u16 256 bits const
// buffer o: u32 192 uninitialized
//! launch k<<<1, 32>>>(x, o)
extern "C" __global__ void k(const unsigned short* x, unsigned* o) {
    __shared__ __align__(16) unsigned short s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) s[i] = x[i];
    __syncthreads();
    unsigned p = (unsigned)__cvta_generic_to_shared(&s[t * 8]), r[6];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[4]), "=r"(r[5]) : "r"(p));
    for (int i = 0; i < 6; i++) o[32 * i + t] = r[i];
}
