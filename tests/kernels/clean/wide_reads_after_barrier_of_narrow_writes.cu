// expect: clean
// compare: exact
// buffer x: u8 256 bits const
// buffer o: u32 64 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const unsigned char* x, unsigned* o) {
    __shared__ __align__(4) unsigned char s[256];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 64) o[threadIdx.x] = reinterpret_cast<unsigned*>(s)[threadIdx.x];
}
