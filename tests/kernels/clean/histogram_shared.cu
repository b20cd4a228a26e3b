// expect: clean
// compare: exact
// buffer x: u32 1024 bits const
// buffer o: u32 64 zeros
//! launch k<<<4, 256>>>(x, o)
extern "C" __global__ void k(const unsigned* x, unsigned* o) {
    __shared__ unsigned h[64];
    int t = threadIdx.x;
    if (t < 64) h[t] = 0;
    __syncthreads();
    atomicAdd(&h[x[blockIdx.x * 256 + t] & 63], 1u);
    __syncthreads();
    if (t < 64) atomicAdd(&o[t], h[t]);
}
