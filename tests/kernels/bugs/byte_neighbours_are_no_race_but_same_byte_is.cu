// expect: race-shared
// buffer o: u8 64 uninitialized
//! launch k<<<1, 64>>>(o)
extern "C" __global__ void k(unsigned char* o) {
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    s[t & ~1] = t;  // BUG
    __syncthreads();
    o[t] = s[t];
}
