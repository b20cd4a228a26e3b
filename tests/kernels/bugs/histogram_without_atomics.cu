// expect: race-global
// buffer x: u32 1024 bits const
// buffer h: u32 16 zeros
//! launch k<<<4, 256>>>(x, h)
extern "C" __global__ void k(const unsigned* x, unsigned* h) {
    int i = blockIdx.x * 256 + threadIdx.x;
    h[x[i] & 15]++;  // BUG
}
