// expect: integer-division
// compare: exact
// buffer x: i32 256 integers 0 4 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    o[threadIdx.x] = 100 / x[threadIdx.x];  // BUG
}
