// expect: clean
// compare: exact
// buffer x: u16 256 bits const
// buffer o: u16 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const unsigned short* x, unsigned short* o) {
    __shared__ unsigned short s[256];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    o[255 - threadIdx.x] = s[threadIdx.x] * 3;
}
