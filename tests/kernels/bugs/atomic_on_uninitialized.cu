// expect: uninitialized-global
// buffer x: u32 256 bits const
// buffer h: u32 16 uninitialized
//! launch k<<<1, 256>>>(x, h)
extern "C" __global__ void k(const unsigned* x, unsigned* h) {
    atomicAdd(&h[x[threadIdx.x] & 15], 1u);  // BUG
}
