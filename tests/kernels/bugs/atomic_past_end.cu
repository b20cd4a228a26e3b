// expect: out-of-bounds
// buffer x: u32 1024 bits const
// buffer h: u32 256 zeros
//! launch k<<<4, 256>>>(x, h)
extern "C" __global__ void k(const unsigned* x, unsigned* h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&h[x[i] & 511], 1u);  // BUG
}
