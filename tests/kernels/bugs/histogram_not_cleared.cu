// expect: uninitialized-shared
// buffer x: u32 1024 bits const
// buffer o: u32 64 zeros
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const unsigned* x, unsigned* o) {
    __shared__ unsigned h[64];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 256)
        atomicAdd(&h[x[i] & 63], 1u);  // BUG
    __syncthreads();
    if (t < 64) atomicAdd(&o[t], h[t]);
}
