// expect: integer-division
// compare: exact
// buffer x: u32 256 integers 0 4 const
// buffer o: u32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const unsigned* x, unsigned* o) {
    o[threadIdx.x] = 100u % x[threadIdx.x];  // BUG
}
