// expect: clean
// compare: exact
// buffer x: i32 256 integers -9 9 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int v = x[threadIdx.x];
    unsigned m = __ballot_sync(0xffffffff, v > 0);
    o[threadIdx.x] = m ^ __all_sync(0xffffffff, v < 9) ^ (__any_sync(0xffffffff, v == 5) << 1) ^ (__uni_sync(0xffffffff, v > 3) << 2);
}
