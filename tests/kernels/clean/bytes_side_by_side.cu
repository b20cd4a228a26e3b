// expect: clean
// compare: exact
// buffer x: u8 256 bits const
// buffer o: u8 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const unsigned char* x, unsigned char* o) {
    __shared__ unsigned char s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    o[t] = s[255 - t] + 1;
}
