// expect: out-of-bounds
// buffer x: i32 256 index const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
__constant__ int table[16] = {1, 2, 3};
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x;
    o[t] = table[x[t] & 31];  // BUG
}
