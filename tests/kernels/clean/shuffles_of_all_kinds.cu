// expect: clean
// compare: exact
// buffer x: i32 64 bits const
// buffer o: i32 320 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, v = x[t];
    o[t] = __shfl_sync(0xffffffff, v, t * 7);
    o[64 + t] = __shfl_up_sync(0xffffffff, v, 3, 8);
    o[128 + t] = __shfl_down_sync(0xffffffff, v, 5, 16);
    o[192 + t] = __shfl_xor_sync(0xffffffff, v, 9);
    o[256 + t] = __shfl_sync(0xffffffff, v, 2, 4);
}
